import { goodEntry, goodObservation, goodSurface, NOW, textIn } from "@eve/test-kit";
import { admit } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import type { ObservationLimits, ObservedSurface, SurfaceRequest } from "../src/index.ts";
import { answering, failing, honestServer, type Server, WIRES } from "./every-wire.ts";
import { registryOf } from "./guard-kit.ts";
import { actualOf, codeOf, request, seen, toolNames } from "./kit.ts";

const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const MEMBERS: Readonly<Record<string, string>> = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
};

/** One lie about one method of an otherwise honest server. */
type Lie = (server: Server, version: string, on: string) => Server;

const about =
  (lie: (id: number, version: string, member: string, honest: string) => string): Lie =>
  (server, version, on) =>
  (asked) => {
    const honest = server(asked);
    return asked.method === on ? lie(asked.id, version, MEMBERS[on] ?? "", honest) : honest;
  };

/** A lie about one list, and the code it gets. */
const LIES: readonly (readonly [string, string, Lie])[] = [
  [
    "a repeated cursor (SN-10)",
    "surface.pagination_invalid",
    about((id, version, member) =>
      answering(version, id, { [member]: [{ name: "x" }], nextCursor: "again" }),
    ),
  ],
  [
    "a cursor that is no string",
    "surface.pagination_invalid",
    about((id, version, member) =>
      answering(version, id, { [member]: [{ name: "x" }], nextCursor: 2 }),
    ),
  ],
  ["an error", "surface.unavailable", about((id) => failing(id, -32603))],
  [
    "an error on a later page (D13)",
    "surface.unavailable",
    (server, version, on) => (asked) => {
      if (asked.method !== on) return server(asked);
      const page = { [MEMBERS[on] ?? ""]: [{ name: "x" }], nextCursor: "2" };
      return asked.cursor === undefined
        ? answering(version, asked.id, page)
        : failing(asked.id, -32601);
    },
  ],
  [
    "an answer without the list",
    "surface.unavailable",
    about((id, version) => answering(version, id, { content: [] })),
  ],
  [
    "a list of what is no object",
    "surface.unavailable",
    about((id, version, member) => answering(version, id, { [member]: ["x"] })),
  ],
  ["an answer that is cut off with its connection", "surface.unavailable", about(() => "cut")],
  [
    "an answer that is cut off and sent as if whole",
    "protocol.framing",
    about((_id, _version, _member, honest) => honest.slice(0, -1)),
  ],
  [
    "an answer to another request (SR-04)",
    "protocol.framing",
    about((id, version, member) => answering(version, id + 7, { [member]: [{ name: "x" }] })),
  ],
  [
    "a name twice in one object (D21)",
    "protocol.framing",
    about((_id, _version, _member, honest) => honest.replace("{", '{"id":0,')),
  ],
];

/** What costs more than is allowed, the limit it meets, and the code it gets. */
const COSTS: readonly (readonly [string, string, Partial<ObservationLimits>, string, Lie])[] = [
  ["pages", "surface.too_large", { maxPages: 1 }, "more", (server) => server],
  ["items", "surface.too_large", { maxItems: 1 }, "2 items", (server) => server],
  [
    "bytes of all answers",
    "surface.too_large",
    { maxTotalBytes: 20_000, timeoutMs: 10_000 },
    "more",
    about(() => "flood"),
  ],
  [
    "bytes of the surface",
    "surface.too_large",
    { maxSurfaceBytes: 300 },
    "more",
    (server) => server,
  ],
  [
    "time for one answer, in silence",
    "surface.unavailable",
    { timeoutMs: 150 },
    "no answer within 150 ms",
    about(() => "silence"),
  ],
  [
    "time for one answer, with a word now and then",
    "surface.unavailable",
    { timeoutMs: 150 },
    "no answer within 150 ms",
    about(() => "trickle"),
  ],
  [
    "time for all answers",
    "surface.unavailable",
    { totalTimeoutMs: 150 },
    "no end within 150 ms",
    about(() => "silence"),
  ],
];

/** The code of a refusal that holds neither a surface nor a word of the server: nothing that could become a baseline. */
function bareCodeOf(observed: ObservedSurface): string {
  const isBare =
    !observed.ok &&
    Object.keys(observed).join() === "ok,refusals" &&
    observed.refusals[0].integration === "liar" &&
    !/SERVER TEXT|half/.test(JSON.stringify(observed));
  return isBare ? codeOf(observed) : "not refused so";
}

/** A server that speaks a version of long ago, whatever it is asked for. */
const older =
  (version: string): Server =>
  (asked) =>
    asked.method === "initialize" || asked.method === "server/discover"
      ? answering(version, asked.id, {
          protocolVersion: "2024-11-05",
          supportedVersions: ["2024-11-05"],
          capabilities: { tools: {} },
        })
      : "silence";

describe.each(Object.entries(WIRES))("a server read over %s", (wire, observe) => {
  // A line of an event holds its field's name as well.
  const framing = wire.includes("event") ? "data: ".length : 0;

  describe.each(["2025-11-25", "2026-07-28"])("in %s", (version) => {
    const asks = (change: Partial<SurfaceRequest> = {}): SurfaceRequest =>
      request({ protocolVersion: version, ...change });

    it('is read whole: every page of every list, also behind the cursor "" (SN-11, MUST-CL-19)', async () => {
      const observed = seen(await observe(honestServer(version), asks()));
      expect(toolNames(observed)).toEqual(["one", "two", "three"]);
      expect(observed.surface).toMatchObject({
        protocolVersion: version,
        instructions: "Ask kindly.",
        prompts: [{ name: "p1" }, { name: "p2" }],
        resources: [{ name: "r1" }, { name: "r2" }],
        resourceTemplates: [{ name: "t1" }],
      });
      expect(observed.raw.map(({ method }) => method)).toEqual([
        version === "2025-11-25" ? "initialize" : "server/discover",
        "tools/list",
        "tools/list",
        "tools/list",
        "prompts/list",
        "prompts/list",
        "resources/list",
        "resources/list",
        "resources/templates/list",
      ]);
    });

    it.each(LISTS.flatMap((on) => LIES.map(([title, code, lie]) => ({ on, title, code, lie }))))(
      "$on with $title: $code",
      async ({ on, code, lie }) => {
        expect(bareCodeOf(await observe(lie(honestServer(version), version, on), asks()))).toBe(
          code,
        );
      },
    );

    it.each(COSTS)(
      "takes no more than the allowed %s: %s",
      async (_title, code, limits, actual, lie) => {
        const observed = await observe(
          lie(honestServer(version), version, "tools/list"),
          asks({ limits }),
        );
        expect(bareCodeOf(observed)).toBe(code);
        expect(actualOf(observed)).toBe(actual);
      },
    );

    it("takes exactly the allowed pages and items", async () => {
      const limits = { maxPages: 3, maxItems: 3 };
      expect(codeOf(await observe(honestServer(version), asks({ limits })))).toBe("ok");
    });

    it("takes one byte more than a line may have for no message: protocol.framing", async () => {
      const server = honestServer(version);
      const first = server({ id: 1, method: "initialize", cursor: undefined });
      const discover = server({ id: 1, method: "server/discover", cursor: undefined });
      const longest = (version === "2025-11-25" ? first : discover).length + framing;
      const limits = { maxLineBytes: longest };
      expect(codeOf(await observe(server, asks({ limits })))).toBe("ok");
      const less = { maxLineBytes: longest - 1 };
      expect(bareCodeOf(await observe(server, asks({ limits: less })))).toBe("protocol.framing");
    });

    it("without a tool is no surface, first or later (D12): surface.empty", async () => {
      const none = about((id, of, member) => answering(of, id, { [member]: [] }));
      expect(
        bareCodeOf(await observe(none(honestServer(version), version, "tools/list"), asks())),
      ).toBe("surface.empty");
    });

    it("that answers its opening with an error is an outage: surface.unavailable", async () => {
      const opening = version === "2025-11-25" ? "initialize" : "server/discover";
      const down = about((id) => failing(id, -32603));
      expect(bareCodeOf(await observe(down(honestServer(version), version, opening), asks()))).toBe(
        "surface.unavailable",
      );
    });

    it("that speaks another version: protocol.version_unadmitted", async () => {
      expect(bareCodeOf(await observe(older(version), asks()))).toBe("protocol.version_unadmitted");
    });

    it.each([
      ["a tool twice (SN-05)", (name: string) => name, "surface.duplicate_tool"],
      [
        "a tool whose name looks like another's (SN-07)",
        (name: string) => `${name.slice(0, -1)}\u0455`,
        "surface.tool_set_drift",
      ],
      [
        "a tool whose name differs by case alone (SN-07)",
        (name: string) => name.toUpperCase(),
        "surface.tool_set_drift",
      ],
    ])("with %s is read, and admitted by nobody: %s", async (_title, rename, code) => {
      const good = goodSurface(version);
      const [first, ...others] = good.tools;
      const name = textIn(first?.["name"]);
      const tools = [first ?? {}, ...others, { ...first, name: rename(name) }];
      const shown: Readonly<Record<string, unknown>> = { ...good, tools };
      const liar: Server = ({ id, method, cursor: _cursor }) => {
        const { capabilities, instructions } = good;
        const own = JSON.parse(JSON.stringify({ capabilities, instructions }));
        if (method === "initialize")
          return answering(version, id, { protocolVersion: version, ...own });
        if (method === "server/discover")
          return answering(version, id, { supportedVersions: [version], ...own });
        const member = MEMBERS[method] ?? "";
        return answering(version, id, JSON.parse(JSON.stringify({ [member]: shown[member] })));
      };
      const { surface } = seen(await observe(liar, asks()));
      const verdict = admit(
        registryOf(goodEntry({ now: NOW })),
        { ...goodObservation(version), surface: { how: "measured", value: surface } },
        NOW,
      );
      const codes = verdict.admitted ? [] : verdict.refusals.map((refusal) => refusal.code);
      expect(codes).toContain(code);
    });
  });
});
