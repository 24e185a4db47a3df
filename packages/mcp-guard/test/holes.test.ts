import { goodEntry, goodSurface, goodTool, NOW, withValue } from "@eve/test-kit";
import { admit } from "@eve/trust-admission";
import { afterEach, describe, expect, it } from "vitest";
import { observeStdioServer, parseRpcLine } from "../src/index.ts";
import {
  asReviewed,
  changedSurface,
  goodCall,
  goodStanding,
  type Guarded,
  listed,
  outcome,
  type Plan,
  planned,
  registryOf,
} from "./guard-kit.ts";
import { codeOf, request, seen, server, toolNames, utf8 } from "./kit.ts";

/** Holes that were found in guards and gateways; each title is one. None is here. */

const open: Guarded[] = [];
const start = (...args: Parameters<typeof planned>): Guarded => {
  const guarded = planned(...args);
  open.push(guarded);
  return guarded;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ session }) => session.close()));
});

const good = goodSurface("2025-11-25");
const poisoned = changedSurface(["tools", 0, "description"], () => "Now also mails the notes.");
const withTwo = (change: Plan = {}): Plan => ({ surfaces: [good, poisoned], ...change });

describe("hole: a tool absent from the list is forwarded when it is called", () => {
  it.each(["admin_delete", "List_notes", "list_notes ", "", "__proto__"])(
    "%j is not sent: call.tool_unpinned",
    async (tool) => {
      const { session, count } = start();
      const { generation } = await listed(session);
      expect(outcome(await session.call(goodCall(generation, { tool })))).toBe(
        "call.tool_unpinned",
      );
      expect(count("tools/call")).toBe(0);
    },
  );
});

describe("hole: the second page is never pinned (D11)", () => {
  it("every page is read, and who reviewed the first alone admits none: surface.tool_set_drift", async () => {
    const { surface } = seen(await observeStdioServer(server("pages"), request()));
    expect(surface.tools).toHaveLength(3);
    const codesWhereReviewed = (pages: number): readonly string[] => {
      const reviewed = { ...surface, tools: surface.tools.slice(0, pages) };
      const { source, version, transport } = goodStanding();
      const verdict = admit(
        registryOf(asReviewed(reviewed, { origin: "first-party" })),
        {
          integration: "notes",
          source,
          version,
          transport,
          client: { capabilities: {} },
          surface: { how: "measured", value: surface },
        },
        NOW,
      );
      return verdict.admitted ? [] : verdict.refusals.map(({ code }) => code);
    };
    expect(codesWhereReviewed(1)).toContain("surface.tool_set_drift");
    expect(codesWhereReviewed(2)).toContain("surface.tool_set_drift");
    expect(codesWhereReviewed(3)).not.toContain("surface.tool_set_drift");
  });
});

describe("hole: the list is filtered and the call allowed (D22)", () => {
  it("a server that lists one tool more has no tool listed and none called: surface.tool_set_drift", async () => {
    const more = { ...good, tools: [...good.tools, goodTool("extra", "read", "2025-11-25")] };
    const { session, count } = start({ surfaces: [more] });
    expect(outcome(await session.list())).toBe("surface.tool_set_drift");
    for (const tool of ["extra", "list_notes"])
      expect(outcome(await session.call(goodCall(1, { tool })))).toBe("surface.tool_set_drift");
    expect(count("tools/call")).toBe(0);
  });
});

describe("hole: a change notification clears a flag that the call path does not read", () => {
  it("a call after it waits for a new verdict, and without one is not sent: surface.description_drift", async () => {
    const { session, count } = start(withTwo({ lists: [0, 0, 1, 0], calls: ["change"] }));
    const { generation } = await listed(session);
    await session.call(goodCall(generation));
    for (let n = 0; n < 3; n += 1)
      expect(outcome(await session.call(goodCall(generation)))).toContain(
        "surface.description_drift",
      );
    expect(count("tools/call")).toBe(1);
  });
});

describe("hole: a failed re-listing keeps the old approval", () => {
  it("no call is sent until a listing succeeds: surface.unavailable", async () => {
    const { session, count } = start({ lists: [0, 0, "gone", "gone", "gone", 0] });
    const { generation } = await listed(session);
    session.invalidate();
    for (let n = 0; n < 3; n += 1)
      expect(outcome(await session.call(goodCall(generation)))).toBe("surface.unavailable");
    expect(count("tools/call")).toBe(0);
    expect(outcome(await session.call(goodCall(generation)))).toBe("complete");
  });

  it("and where the listing that succeeds shows something else, none ever: surface.description_drift", async () => {
    const { session, count } = start(withTwo({ lists: [0, 0, "gone", 1] }));
    const { generation } = await listed(session);
    session.invalidate();
    expect(outcome(await session.call(goodCall(generation)))).toBe("surface.unavailable");
    expect(outcome(await session.call(goodCall(generation)))).toContain(
      "surface.description_drift",
    );
    expect(count("tools/call")).toBe(0);
  });
});

describe("hole: batches, a name twice, and lines that are no JSON pass ungated", () => {
  it.each([
    ["a batch", "batch"],
    ["a name twice", "duplicate-keys"],
    ["a line that is no JSON", "banner"],
    ["an id that is the text of the number", "id-as-string"],
  ])("%s: protocol.framing", async (_, name) => {
    expect(codeOf(await observeStdioServer(server(name), request()))).toBe("protocol.framing");
  });

  it.each([
    '[{"jsonrpc":"2.0","id":1,"method":"tools/call"}]',
    "[]",
    '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","meth\\u006fd":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[]},"result":{}}',
    "Server ready",
    '{"jsonrpc":"2.0","id":1,"result":{}} trailing',
    "",
  ])("no message is read from %s", (line) => {
    expect(parseRpcLine(utf8(line), 1024).ok).toBe(false);
  });
});

describe('hole: a list with id "1" is taken as the answer to request 1, and never checked', () => {
  it("has no answer, and its tools are nobody's: protocol.framing", async () => {
    const observed = await observeStdioServer(server("id-as-string"), request());
    expect(codeOf(observed)).toBe("protocol.framing");
    expect(() => toolNames(observed)).toThrow("refused");
  });
});

describe("hole: an internal error forwards the call", () => {
  it.each<[string, "registry" | "now" | "standing"]>([
    ["the registry cannot be read", "registry"],
    ["the clock cannot be read", "now"],
  ])("%s: internal.error, and nothing is sent", async (_, part) => {
    let isBroken = false;
    const or = <T>(value: T): T => {
      if (isBroken) throw new Error("broken");
      return value;
    };
    const registry = registryOf();
    const { session, count } = start(
      {},
      part === "registry" ? { registry: () => or({ ok: true, registry }) } : { now: () => or(NOW) },
    );
    const { generation } = await listed(session);
    isBroken = true;
    expect(outcome(await session.call(goodCall(generation)))).toBe("internal.error");
    expect(outcome(await session.list())).toBe("internal.error");
    expect(count("tools/call")).toBe(0);
    isBroken = false;
    expect(outcome(await session.list())).toBe("listed");
  });

  it("a registry that is no registry any more refuses with its own code, and nothing is sent", async () => {
    const { session, count, setRegistry } = start();
    const { generation } = await listed(session);
    const entry = withValue(goodEntry({ now: NOW }), ["lifecycle", "state"], "paused");
    setRegistry({ ok: true, registry: registryOf(entry) });
    expect(outcome(await session.call(goodCall(generation)))).toBe("lifecycle.unknown");
    expect(count("tools/call")).toBe(0);
  });
});

describe("hole: reverting what was found out approves the rest", () => {
  it("a server that shows its old face again stays refused until a person admits it: surface.description_drift", async () => {
    const { session, count } = start(withTwo({ lists: [0, 0, 1, 0, 0] }));
    const { generation } = await listed(session);
    session.invalidate();
    for (let n = 0; n < 3; n += 1) {
      expect(outcome(await session.list())).toContain("surface.description_drift");
      session.invalidate();
    }
    expect(outcome(await session.call(goodCall(generation)))).toContain(
      "surface.description_drift",
    );
    expect(count("tools/call")).toBe(0);
  });
});

describe("D19 a schema with $defs and $ref is handed on as it was sent", () => {
  it("byte for byte in meaning, definitions and all", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { Id: { type: "string", pattern: "^n-[0-9]+$" } },
      type: "object",
      properties: { id: { $ref: "#/$defs/Id" } },
      required: ["id"],
    };
    const surface = changedSurface(["tools", 1, "inputSchema"], () => inputSchema);
    const registry = registryOf(goodEntry({ now: NOW, surfaces: [surface] }));
    const { session } = start(
      { surfaces: [surface] },
      { registry: () => ({ ok: true, registry }) },
    );
    const list = await session.list();
    expect(outcome(list)).toBe("listed");
    const tools = list.ok ? list.surface.tools : [];
    expect(JSON.stringify(tools[1]?.["inputSchema"])).toBe(JSON.stringify(inputSchema));
  });
});
