import { createRequire } from "node:module";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { parseRegistry, type Registry } from "@eve/registry-schema";
import {
  bytesOf,
  goodDocument,
  goodObservation,
  leavesOf,
  NOW,
  valueAt,
  withChange,
} from "@eve/test-kit";
import { admit, type Standing, type Surface, surfacePins } from "@eve/trust-admission";
import { beforeAll, describe, expect, it } from "vitest";
import {
  connectStdio,
  type GuardedAnswer,
  observeStdioServer,
  type Progress,
  type StdioLaunch,
} from "../src/index.ts";
import { asReviewed, goodCall, guarded, listed, outcome } from "./guard-kit.ts";
import { actualOf, codeOf, isRunning, programOf, request, seen, server, text } from "./kit.ts";

const VERSION = "2025-11-25";
const OLDER = ["2024-11-05", "2025-03-26", "2025-06-18"];

/** A client that declares nothing, and one that declares all there is. */
const BARE: JsonObject = {};
const FULL: JsonObject = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
};

const names = ["everything", "filesystem", "memory"] as const;
type Name = (typeof names)[number];

const ARGUMENTS = {
  everything: ["stdio"],
  filesystem: [import.meta.dirname],
  memory: [],
} as const;

const launchOf = (name: Name): StdioLaunch =>
  server("", { args: [programOf(name), ...ARGUMENTS[name]] });

async function measured(name: Name, clientCapabilities: JsonObject): Promise<Surface> {
  return seen(await observeStdioServer(launchOf(name), request({ clientCapabilities }))).surface;
}

/** The registry of a third party whose surface was reviewed. */
function registryOf(surface: Surface, clientCapabilities: JsonObject): Registry {
  const entries = [asReviewed(surface, {}, clientCapabilities)];
  const parsed = parseRegistry(goodDocument({ entries, gates: "met" }).bytes);
  if (!parsed.ok) throw new TypeError(JSON.stringify(parsed.refusals));
  return parsed.registry;
}

function standing(): Standing {
  const { source, transport, version } = goodObservation(VERSION, { origin: "third-party" });
  return { integration: "other-notes", source, transport, version };
}

/** The codes that a surface gets from a registry; none where it is admitted. */
function judged(registry: Registry, surface: Surface, capabilities: JsonObject): readonly string[] {
  const observation = {
    ...standing(),
    client: { capabilities },
    surface: { how: "measured", value: surface },
  } as const;
  const verdict = admit(registry, observation, NOW);
  return verdict.admitted ? [] : verdict.refusals.map(({ code }) => code);
}

/** Another value in the place of a leaf. */
function other(value: JsonValue | undefined): JsonValue {
  if (typeof value === "string") return `${value}.`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return Array.isArray(value) ? [0] : { changed: true };
}

/** A surface as a plain value, without its absent members. */
function plain(surface: Surface): JsonObject {
  return JSON.parse(JSON.stringify(surface));
}

function asSurface(value: JsonObject): Surface {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a surface but for one leaf
  return value as unknown as Surface;
}

function manifestOf(name: Name): { readonly version: string } {
  return createRequire(import.meta.url)(`@modelcontextprotocol/server-${name}/package.json`);
}

describe.each(names)("the published server-%s", (name) => {
  let bare: Surface;
  let full: Surface;
  beforeAll(async () => {
    [bare, full] = await Promise.all([measured(name, BARE), measured(name, FULL)]);
  });

  it("is the release that was written down", () => {
    expect(manifestOf(name).version).toBe("2026.8.31");
  });

  it("has the same pins each time it is measured, to either client", async () => {
    expect(surfacePins(await measured(name, BARE))).toEqual(surfacePins(bare));
    expect(surfacePins(await measured(name, FULL))).toEqual(surfacePins(full));
  });

  it("is admitted by the guard against its own pins, as the client it was reviewed with", async () => {
    for (const [surface, clientCapabilities] of [
      [bare, BARE],
      [full, FULL],
    ] as const) {
      const registry = registryOf(surface, clientCapabilities);
      const { session } = guarded(connectStdio(launchOf(name)), () => [], {
        integration: "other-notes",
        clientCapabilities,
        standing: () => Promise.resolve(standing()),
        registry: () => ({ ok: true, registry }),
      });
      const { surface: shown } = await listed(session);
      expect(surfacePins(shown)).toEqual(surfacePins(surface));
      await session.close();
    }
  });

  it("is refused to a client of other capabilities than it was reviewed with", () => {
    expect(judged(registryOf(bare, BARE), full, FULL)).not.toEqual([]);
    expect(judged(registryOf(full, FULL), bare, BARE)).not.toEqual([]);
  });

  it("is refused with any one leaf of it changed: surface.*_drift", () => {
    const registry = registryOf(bare, BARE);
    expect(judged(registry, bare, BARE)).toEqual([]);
    const value = plain(bare);
    const { protocolVersion: _version, ...rest } = value;
    const leaves = leavesOf(rest);
    expect(leaves.length).toBeGreaterThan(100);
    const admitted = leaves.filter(({ path }) => {
      const changed = withChange(value, path, other);
      expect(valueAt(changed, path)).not.toEqual(valueAt(value, path));
      return judged(registry, asSurface(changed), BARE).length === 0;
    });
    expect(admitted.map(({ path }) => path)).toEqual([]);
  });

  it.each(OLDER)(
    "speaks %s too, and is not taken for what was reviewed in 2025-11-25",
    async (older) => {
      const observed = await observeStdioServer(
        launchOf(name),
        request({ protocolVersion: older }),
      );
      const { surface } = seen(observed);
      expect(surface.protocolVersion).toBe(older);
      // The same tools: only the version tells that this is not what was reviewed.
      expect(surfacePins(surface)).toEqual(surfacePins(bare));
      expect(judged(registryOf(bare, BARE), surface, BARE)).toContain(
        "protocol.version_unadmitted",
      );
    },
  );

  it("does not speak 2026-07-28: protocol.version_unadmitted", async () => {
    const observed = await observeStdioServer(
      launchOf(name),
      request({ protocolVersion: "2026-07-28" }),
    );
    expect(codeOf(observed)).toBe("protocol.version_unadmitted");
    expect(actualOf(observed)).toBe("the server does not speak it");
  });
});

const toolsOf = ({ tools }: Surface): readonly unknown[] => tools.map((tool) => tool["name"]);

describe("what a client declares changes what a published server lists", () => {
  it("server-everything lists more to a client that declares more, and the rest of its pins are equal", async () => {
    const bare = await measured("everything", BARE);
    const full = await measured("everything", FULL);
    const more = toolsOf(full).filter((tool) => !toolsOf(bare).includes(tool));
    expect([bare.tools.length, full.tools.length]).toEqual([13, 17]);
    expect(more).toContain("get-roots-list");
    expect(more).toHaveLength(4);
    const { tools: few, ...bareServer } = surfacePins(bare);
    const { tools: many, ...fullServer } = surfacePins(full);
    expect(many).toEqual(expect.arrayContaining([...few]));
    expect(fullServer).toEqual(bareServer);
    expect(judged(registryOf(bare, FULL), full, FULL)).toContain("surface.tool_set_drift");
    expect(judged(registryOf(full, BARE), bare, BARE)).toContain("surface.tool_set_drift");
  });

  it.each(["filesystem", "memory"] as const)("server-%s lists the same to both", async (name) => {
    expect(surfacePins(await measured(name, FULL))).toEqual(
      surfacePins(await measured(name, BARE)),
    );
  });
});

it("a server that speaks 2024-11-05 alone, whatever it is asked for: protocol.version_unadmitted", async () => {
  const observed = await observeStdioServer(server("another-version"), request());
  expect(codeOf(observed)).toBe("protocol.version_unadmitted");
  expect(actualOf(observed)).toBe("2024-11-05");
});

/** A launcher that starts the server with its own streams, and tells the server's process id. */
const launched = (name: Name, after: string, stdin = "inherit"): StdioLaunch => {
  const args = JSON.stringify([programOf(name), ...ARGUMENTS[name]]);
  const code = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ${args}, { stdio: ["${stdin}", "inherit", "ignore"] });
    process.stderr.write(child.pid + "\\n");
    ${after}`;
  return server("", { args: ["-e", code] });
};

const observe = async (
  launch: StdioLaunch,
): Promise<{ readonly code: string; readonly pid: number }> => {
  let stderr = "";
  const onStderr = (chunk: Uint8Array): void => void (stderr += text(chunk));
  const observed = await observeStdioServer({ ...launch, onStderr }, request());
  return { code: codeOf(observed), pid: Number(/^\d+/.exec(stderr)?.[0]) };
};

describe("a published server behind a launcher", () => {
  it.each(names)("server-%s ends with the observation", async (name) => {
    const { code, pid } = await observe(launched(name, ""));
    expect(code).toBe("ok");
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });

  it("ends with it where it would not end with its input: the launcher keeps that open", async () => {
    // The launcher hands on what it reads, never that there is no more.
    const hold =
      "process.stdin.on('data', (chunk) => child.stdin.write(chunk)); setInterval(() => {}, 1000);";
    const { code, pid } = await observe(launched("memory", hold, "pipe"));
    expect(code).toBe("ok");
    expect(isRunning(pid)).toBe(false);
  });

  it("ends where its launcher is gone before anything was answered: surface.unavailable", async () => {
    const { code, pid } = await observe(launched("memory", "process.exit(0);"));
    expect(code).toBe("surface.unavailable");
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });
});

const call = async (
  name: Name,
  calls: readonly (readonly [tool: string, args: JsonObject])[],
  onProgress?: (progress: Progress) => void,
): Promise<readonly GuardedAnswer[]> => {
  const registry = registryOf(await measured(name, BARE), BARE);
  const { session } = guarded(connectStdio(launchOf(name)), () => [], {
    integration: "other-notes",
    clientCapabilities: BARE,
    standing: () => Promise.resolve(standing()),
    registry: () => ({ ok: true, registry }),
  });
  const { generation } = await listed(session);
  const answers = calls.map(([tool, args]) =>
    session.call(
      goodCall(generation, {
        tool,
        arguments: bytesOf(args),
        ...(onProgress !== undefined && { onProgress }),
      }),
    ),
  );
  const told = await Promise.all(answers);
  await session.close();
  return told;
};

describe("calls of published servers through the guard", () => {
  it("server-everything: texts, structure, images, links and embedded resources of its own scheme", async () => {
    const answers = await call("everything", [
      ["echo", { message: '{"any":"json"}' }],
      ["get-sum", { a: 1, b: 2 }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-tiny-image", {}],
      ["get-resource-links", { count: 3 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
    ]);
    expect(answers.map(outcome)).toEqual(answers.map(() => "complete"));
  });

  it("server-everything: the progress of a long call", async () => {
    const told: Progress[] = [];
    const [answer] = await call(
      "everything",
      [["trigger-long-running-operation", { duration: 0.5, steps: 2 }]],
      (progress) => told.push(progress),
    );
    expect(answer && outcome(answer)).toBe("complete");
    expect(told).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  it("server-filesystem: files, folders, and its own errors", async () => {
    const path = join(import.meta.dirname, "..", "package.json");
    const answers = await call("filesystem", [
      ["read_text_file", { path: join(import.meta.dirname, "kit.ts") }],
      ["list_directory", { path: import.meta.dirname }],
      ["directory_tree", { path: join(import.meta.dirname, "servers") }],
      ["get_file_info", { path: join(import.meta.dirname, "kit.ts") }],
      ["list_allowed_directories", {}],
      ["read_text_file", { path }], // outside of what it may read
    ]);
    expect(answers.map(outcome)).toEqual(answers.map(() => "complete"));
    expect(answers.at(-1)).toMatchObject({ result: { isError: true } });
  });

  it("server-memory: the graph, which is empty", async () => {
    const [answer] = await call("memory", [["search_nodes", { query: "nobody" }]]);
    expect(answer).toMatchObject({
      result: { structuredContent: { entities: [], relations: [] } },
    });
  });
});
