import { describe, expect, it } from "vitest";
import {
  type ObservedSurface,
  observeStdioServer,
  type StdioLaunch,
  type SurfaceRequest,
} from "../src/index.ts";
import {
  actualOf,
  codeOf,
  everything,
  isRunning,
  request,
  seen,
  server,
  text,
  toolNames,
} from "./kit.ts";

function observe(
  name: string,
  change: Partial<SurfaceRequest> = {},
  launch: Partial<StdioLaunch> = {},
): Promise<ObservedSurface> {
  return observeStdioServer(server(name, launch), request(change));
}

const soon = { limits: { timeoutMs: 300 } };
const modern = { protocolVersion: "2026-07-28" };

describe.concurrent("a server on stdio is read whole", () => {
  it('walks every page, also behind the cursor "" (SN-11, D11)', async () => {
    const observed = seen(await observe("pages"));
    expect(toolNames(observed)).toEqual(["first", "second", "third"]);
    expect(observed.raw.map(({ method }) => method)).toEqual([
      "initialize",
      "tools/list",
      "tools/list",
      "tools/list",
    ]);
    expect(text(observed.raw[2]?.bytes ?? new Uint8Array())).toBe(
      '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"second","description":"second","inputSchema":{"type":"object"}}],"nextCursor":"last"}}',
    );
  });

  it("walks the pages of the modern era, with _meta on each request, and keeps unknown members raw", async () => {
    const observed = seen(await observe("modern-pages", modern));
    expect(observed.surface).toMatchObject({
      protocolVersion: "2026-07-28",
      instructions: "",
      capabilities: { tools: {} },
    });
    expect(observed.surface.tools).toMatchObject([
      { name: "first", future: 1 },
      { name: "second" },
    ]);
    expect(text(observed.raw[1]?.bytes ?? new Uint8Array())).toContain('"future":{"kept":true}');
  });

  it("takes lines that end in CRLF", async () => {
    expect(toolNames(await observe("crlf"))).toEqual(["one"]);
  });

  it("asks any legacy version it is told to", async () => {
    const observed = await observe("another-version", { protocolVersion: "2024-11-05" });
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("error -32601");
  });

  it("takes a declared list whose method is not found as absent, which is not empty", async () => {
    const { surface } = seen(await observe("lists-absent"));
    expect(surface).toMatchObject({ resources: [] });
    expect(surface.prompts).toBeUndefined();
    expect(surface.resourceTemplates).toBeUndefined();
  });

  it("asks for no prompts and resources where they are not declared", async () => {
    const { surface, raw } = seen(await observe("tells-clients-apart"));
    expect([surface.prompts, surface.resources, surface.resourceTemplates]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(raw).toHaveLength(2);
  });

  it("is told apart by a server that lists more to a client that declares more", async () => {
    const clientCapabilities = { roots: {}, sampling: {}, elicitation: {} };
    expect(toolNames(await observe("tells-clients-apart"))).toEqual(["always"]);
    expect(toolNames(await observe("tells-clients-apart", { clientCapabilities }))).toEqual([
      "always",
      "with-roots",
      "with-sampling",
      "with-elicitation",
    ]);
  });

  it("answers ping, and -32601 to whatever else the server asks of it (SR-05)", async () => {
    expect(toolNames(await observe("asks-its-client"))).toEqual([
      "ping answered",
      "roots/list -32601",
      "sampling/createMessage -32601",
      "elicitation/create -32601",
    ]);
  });

  it("starts over once where the tools change during the walk", async () => {
    const observed = seen(await observe("changes-once"));
    expect(toolNames(observed)).toEqual(["a-2", "b-2"]);
    expect(observed.raw).toHaveLength(3);
  });

  it("gives the child exactly the environment it names, PATH neither", async () => {
    const observed = await observe("environment", {}, { env: { ONE: "1", TWO: "2" } });
    expect(toolNames(observed)).toEqual(["ONE", "TWO"]);
  });
});

describe.concurrent("a server on stdio that lies or fails is refused", () => {
  it.each([
    ["a repeated cursor (SN-10)", "cursor-repeated", "surface.pagination_invalid"],
    ["a cursor that is a number", "cursor-of-another-type", "surface.pagination_invalid"],
    ["a cursor that is null", "cursor-null", "surface.pagination_invalid"],
    ["pages without end", "pages-without-end", "surface.too_large"],
    ["more tools than the limit", "too-many-tools", "surface.too_large"],
    ["no tool at all (D12)", "no-tools", "surface.empty"],
    ["a listing without a list", "tools-no-list", "surface.unavailable"],
    ["an error on the second page (D13)", "error-page", "surface.unavailable"],
    ["an error on a declared list", "prompts-error", "surface.unavailable"],
    ["an error without an id", "error-without-id", "surface.unavailable"],
    ["tools that change each time", "changes-always", "surface.unavailable"],
    ["an answer that is not complete (SR-07)", "modern-incomplete", "surface.unavailable", modern],
    ["a duplicate key (D21)", "duplicate-keys", "protocol.framing"],
    ["__proto__ in a schema", "proto-key", "protocol.framing"],
    ["a byte order mark", "byte-order-mark", "protocol.framing"],
    ["a bare CR", "bare-cr", "protocol.framing"],
    ["a banner on stdout (SR-08)", "banner", "protocol.framing"],
    ["a banner, then exit 1 (SR-08)", "banner-then-exit", "protocol.framing"],
    ["invalid UTF-8 (SR-08)", "invalid-utf8", "protocol.framing"],
    ["64 MiB without a newline (SR-08)", "huge-line", "protocol.framing"],
    ["an id that is the number's text (SR-04)", "id-as-string", "protocol.framing"],
    ["an answer to another request (SR-04)", "id-of-another", "protocol.framing"],
    ["two answers to one request (SR-04)", "answers-twice", "protocol.framing"],
    ["a batch (D20)", "batch", "protocol.framing"],
    ["an unknown member of the envelope", "unknown-envelope-member", "protocol.framing"],
    ["another version than was asked (SN-14)", "another-version", "protocol.version_unadmitted"],
    ["a version that is no version", "version-of-text", "protocol.version_unadmitted"],
    [
      "a modern server of another version (SN-14)",
      "modern-another-version",
      "protocol.version_unadmitted",
      modern,
    ],
    [
      "a legacy server asked in the modern era (SN-14)",
      "pages",
      "protocol.version_unadmitted",
      modern,
    ],
  ] as const)("%s: %s answers %s", async (_, name, code, change: Partial<SurfaceRequest> = {}) => {
    const observed = await observe(name, change);
    expect(codeOf(observed)).toBe(code);
    expect(JSON.stringify(observed)).not.toContain("SERVER");
    expect(observed).toMatchObject({ refusals: [{ integration: "liar" }] });
  });

  it.each([
    ["pages", { maxPages: 3 }, { maxPages: 2 }, "more"],
    ["items", { maxItems: 3 }, { maxItems: 2 }, "3 items"],
  ] as const)(
    "exactly the allowed %s are read, one more is refused: surface.too_large",
    async (_, enough, few, actual) => {
      expect(codeOf(await observe("pages", { limits: enough }))).toBe("ok");
      const observed = await observe("pages", { limits: few });
      expect(codeOf(observed)).toBe("surface.too_large");
      expect(actualOf(observed)).toBe(actual);
    },
  );

  it("a server that asks without end is not answered without end: surface.unavailable", async () => {
    const observed = await observe("asks-without-end");
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("a server that asks without end");
  });

  it("lines without end are read up to the limit of all bytes: surface.too_large", async () => {
    expect(codeOf(await observe("flood", { limits: { maxTotalBytes: 1_000_000 } }))).toBe(
      "surface.too_large",
    );
  });

  it("tells an exit in the middle by its code, and never as a change of tools (D13): surface.unavailable", async () => {
    const observed = await observe("exit-mid-listing");
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("the process ended with exit code 78");
  });

  it("tells a command that does not exist: surface.unavailable", async () => {
    const observed = await observe("pages", {}, { command: "/nonexistent/server" });
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("the process did not start: ENOENT");
  });

  it("gives up on a server that answers nothing: surface.unavailable", async () => {
    const observed = await observe("silent", soon);
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("no answer within 300 ms");
  });

  it("does not wait longer for an answer because of notifications: surface.unavailable", async () => {
    const observed = await observe("silent-but-busy", { limits: { timeoutMs: 2_000 } });
    expect(actualOf(observed)).toBe("no answer within 2000 ms");
  });

  it("bounds the whole observation too: surface.unavailable", async () => {
    const observed = await observe("silent", { limits: { totalTimeoutMs: 200 } });
    expect(actualOf(observed)).toBe("no end within 200 ms");
  });
});

/** Observes a server that tells process ids on stderr. */
async function observePids(
  name: string,
): Promise<{ observed: ObservedSurface; pids: readonly number[] }> {
  let stderr = "";
  const onStderr = (chunk: Uint8Array): void => void (stderr += text(chunk));
  const observed = await observe(name, {}, { onStderr });
  return { observed, pids: [...stderr.matchAll(/\d+/g)].map(Number) };
}

describe.concurrent("nothing is left running", () => {
  it("ends children that outlive the server, in its group and in a session of their own", async () => {
    const { observed, pids } = await observePids("leaves-children");
    expect(toolNames(observed)).toEqual(["one"]);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("ends the child of a server that died first and left it its stdout: surface.unavailable", async () => {
    const { observed, pids } = await observePids("dies-before-its-child");
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("the process ended with exit code 3");
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

describe.concurrent("the real server-everything", () => {
  const all = { roots: { listChanged: true }, sampling: {}, elicitation: {} };

  it("is read whole, prompts and resources too", async () => {
    const { surface } = seen(await observeStdioServer(everything(), request()));
    expect(surface.tools).toHaveLength(13);
    expect(surface.prompts?.length).toBeGreaterThan(0);
    expect(surface.resources?.length).toBeGreaterThan(0);
    expect(surface.resourceTemplates?.length).toBeGreaterThan(0);
  });

  it("lists more to a client that declares roots, sampling and elicitation", async () => {
    const bare = toolNames(await observeStdioServer(everything(), request()));
    const full = toolNames(
      await observeStdioServer(everything(), request({ clientCapabilities: all })),
    );
    expect(full.filter((name) => !bare.includes(name))).not.toEqual([]);
    expect(bare.filter((name) => !full.includes(name))).toEqual([]);
  });

  it("does not speak the modern era: protocol.version_unadmitted", async () => {
    expect(codeOf(await observeStdioServer(everything(), request(modern)))).toBe(
      "protocol.version_unadmitted",
    );
  });
});
