import { PassThrough } from "node:stream";
import type { JsonObject } from "@eve/canonical-json";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OBSERVATION_LIMITS } from "../src/index.ts";
import { refuserFor } from "../src/observation-refusal.ts";
import { MAX_SERVER_REQUESTS } from "../src/request-book.ts";
import type { WireSession } from "../src/session.ts";
import { openSession } from "../src/wire-session.ts";
import { eventually } from "./guard-kit.ts";

const limits = { ...OBSERVATION_LIMITS, maxTotalBytes: 4_096 };

interface Wire {
  readonly session: WireSession;
  /** Bytes that the server sends. */
  readonly say: (text: string) => void;
  readonly changes: () => number;
  /** What the session sent. */
  readonly sent: () => readonly JsonObject[];
}

function open(): Wire {
  const channel = { toServer: new PassThrough().resume(), fromServer: new PassThrough() };
  const lines: string[] = [];
  channel.toServer.on("data", (chunk: Buffer) => lines.push(...chunk.toString().split("\n")));
  let changes = 0;
  const changed = (): void => {
    changes += 1;
  };
  const session = openSession(channel, limits, refuserFor("liar"), { changed });
  return {
    session,
    say: (text) => void channel.fromServer.write(`${text}\n`),
    changes: () => changes,
    sent: () => lines.filter(Boolean).map((line): JsonObject => JSON.parse(line)),
  };
}
const result = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const LISTEN = { method: "subscriptions/listen", params: {} };
const note = (method: string): string => `{"jsonrpc":"2.0","method":"${method}"}`;
describe("a session that lives on between pieces of work", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => vi.useRealTimers());

  it("is over when one piece takes too long, and not while nobody works: surface.unavailable", () => {
    const { session } = open();
    session.rest();
    vi.advanceTimersByTime(limits.totalTimeoutMs * 10);
    expect(session.failure()).toBeUndefined();
    session.renew();
    vi.advanceTimersByTime(limits.totalTimeoutMs - 1);
    expect(session.failure()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(session.failure()?.refusals[0].code).toBe("surface.unavailable");
  });

  it("is over when an answer to what it asks does not come in time: surface.unavailable", async () => {
    const { session } = open();
    const answer = session.ask("tools/list", {});
    vi.advanceTimersByTime(limits.timeoutMs);
    expect(await answer).toMatchObject({ kind: "refused" });
    expect(session.failure()?.refusals[0].code).toBe("surface.unavailable");
  });
});

describe("the limits of one piece of work", () => {
  it("count bytes anew for each, and end the session within one: surface.too_large", async () => {
    const { session, say } = open();
    for (const id of [1, 2, 3]) {
      session.renew();
      const answer = session.ask("ping", {});
      say(note("x".repeat(limits.maxTotalBytes / 2)));
      say(result(id));
      // One after the other is what is tested.
      expect((await answer).kind).toBe("result");
    }
    const answer = session.ask("ping", {});
    say(note("x".repeat(limits.maxTotalBytes / 2)));
    expect(await answer).toMatchObject({
      kind: "refused",
      refused: { refusals: [{ code: "surface.too_large" }] },
    });
    session.close();
  });

  it("count the server's own requests anew for each: surface.unavailable", async () => {
    const { session, say } = open();
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const half = ping.repeat(MAX_SERVER_REQUESTS / 8);
    for (let id = 1; id <= 12; id += 1) {
      session.renew();
      const answer = session.ask("ping", {});
      say(half + result(id));
      // One after the other is what is tested.
      expect((await answer).kind).toBe("result");
    }
    session.close();
  });
});

describe("what a session tells by itself", () => {
  it.each(["tools", "prompts", "resources"])("is that the list of %s changed", async (list) => {
    const { say, changes, session } = open();
    say(note(`notifications/${list}/list_changed`));
    await eventually(() => expect(changes()).toBe(1));
    session.close();
  });

  it("is the end of a stream of changes, but not that there is none", async () => {
    const { say, changes, session } = open();
    await session.listen(LISTEN);
    await session.listen(LISTEN); // there is one already
    say(result(1));
    await eventually(() => expect(changes()).toBe(1));
    await session.listen(LISTEN);
    say('{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"SERVER TEXT"}}');
    await session.listen(LISTEN); // there never was one
    const pong = session.ask("ping", {});
    say(result(3));
    expect((await pong).kind).toBe("result");
    expect(changes()).toBe(1);
    expect(session.failure()).toBeUndefined();
    say(result(2));
    await eventually(() => expect(session.failure()?.refusals[0].code).toBe("protocol.framing"));
    session.close();
  });

  it("is nothing else", async () => {
    const { say, changes, session } = open();
    const answer = session.ask("ping", {});
    say(note("notifications/message"));
    say(note("notifications/tools/list_changed2"));
    say(result(1));
    expect((await answer).kind).toBe("result");
    expect(changes()).toBe(0);
    session.close();
  });
});

const LATE = { timeoutMs: 60_000 };
const answer = (id: number, text: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}`;

describe("calls that wait at once", () => {
  it("get their own answers, in whatever order those come (SR-04)", async () => {
    const { session, say, sent } = open();
    const calls = ["a", "b", "c"].map((name) => session.call("tools/call", { name }, LATE));
    await eventually(() => expect(sent()).toHaveLength(3));
    for (const id of [3, 1, 2]) say(answer(id, `for ${id}`));
    expect(await Promise.all(calls)).toMatchObject(
      [1, 2, 3].map((id) => ({ kind: "result", result: { text: `for ${id}` } })),
    );
    session.close();
  });

  it.each([
    ["an answer to a request that was never asked", 3],
    ["a second answer to one of them", 1],
    ["an answer whose id is the number's text", '"2"'],
  ])("are all refused after %s (SR-04): protocol.framing", async (_title, id) => {
    const { session, say } = open();
    const first = session.call("tools/call", {}, LATE);
    const second = session.call("tools/call", {}, LATE);
    say(answer(1, "first"));
    expect((await first).kind).toBe("result");
    say(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(await second).toMatchObject({
      kind: "refused",
      refused: { refusals: [{ code: "protocol.framing" }] },
    });
    expect(await session.call("tools/call", {}, LATE)).toMatchObject({ kind: "refused" });
    session.close();
  });

  it("are refused when the session is closed under them: surface.unavailable", async () => {
    const { session } = open();
    const call = session.call("tools/call", {}, LATE);
    session.close();
    expect(await call).toMatchObject({
      kind: "refused",
      refused: { refusals: [{ code: "surface.unavailable" }] },
    });
  });
});

describe("a call that is given up", () => {
  it.each([
    ["because its time is over", 20, "no answer within 20 ms"],
    ["by its caller", undefined, "given up by its caller"],
  ])(
    "%s is told the server, and its one late answer is dropped (SR-04): protocol.framing",
    async (_title, timeoutMs, why) => {
      const { session, say, sent } = open();
      const caller = new AbortController();
      const lost = session.call(
        "tools/call",
        {},
        { timeoutMs: timeoutMs ?? 60_000, signal: caller.signal },
      );
      const other = session.call("tools/call", {}, LATE);
      if (timeoutMs === undefined) caller.abort();
      expect(await lost).toEqual({ kind: "lost", why });
      await eventually(() =>
        expect(sent().at(-1)).toEqual({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: 1 },
        }),
      );
      say(answer(1, "late"));
      say(answer(2, "in time"));
      expect(await other).toMatchObject({ result: { text: "in time" } });
      expect(session.failure()).toBeUndefined();
      say(answer(1, "later"));
      await eventually(() => expect(session.failure()?.refusals[0].code).toBe("protocol.framing"));
      session.close();
    },
  );

  it("after it was answered changes nothing", async () => {
    const { session, say, sent } = open();
    const caller = new AbortController();
    const call = session.call("tools/call", {}, { ...LATE, signal: caller.signal });
    say(answer(1, "in time"));
    expect((await call).kind).toBe("result");
    caller.abort();
    expect(sent()).toHaveLength(1);
    session.close();
  });

  it("is remembered for a while: of 1,025 the oldest is forgotten, and its answer is nobody's: protocol.framing", async () => {
    const { session, say } = open();
    for (let at = 1; at <= 1_025; at += 1) {
      const signal = new AbortController();
      const call = session.call("tools/call", {}, { ...LATE, signal: signal.signal });
      signal.abort();
      await call;
    }
    say(answer(2, "late"));
    const pong = session.ask("ping", {});
    say(answer(1_026, "pong"));
    expect((await pong).kind).toBe("result");
    say(answer(1, "too late"));
    await eventually(() => expect(session.failure()?.refusals[0].code).toBe("protocol.framing"));
    session.close();
  });
});

const progress = (token: unknown, params: JsonObject): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: token, message: "SERVER TEXT", ...params },
  });

describe("the progress of a call", () => {
  it("is asked for by its own token, and only numbers that grow are handed on", async () => {
    const { session, say, sent } = open();
    const told: unknown[] = [];
    const params = { name: "a", _meta: { kept: true } };
    const options = { ...LATE, onProgress: (how: unknown) => void told.push(how) };
    const call = session.call("tools/call", params, options);
    await eventually(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      id: 1,
      params: { name: "a", _meta: { kept: true, progressToken: 1 } },
    });
    say(progress(1, { progress: 1, total: 4 }));
    say(progress(1, { progress: 1, total: 4 }));
    say(progress(1, { progress: 0.5 }));
    say(progress(1, { progress: "9" }));
    say(progress("1", { progress: 3 }));
    say(progress(2, { progress: 3 }));
    say(progress(1, { progress: 2.5, total: "4" }));
    say(answer(1, "done"));
    expect((await call).kind).toBe("result");
    say(progress(1, { progress: 4 }));
    const pong = session.ask("ping", {});
    say(answer(2, "pong"));
    await pong;
    expect(told).toEqual([
      { progress: 1, total: 4 },
      { progress: 2.5, total: undefined },
    ]);
    session.close();
  });

  it("that nobody asked for is dropped, and a caller that fails at it ends nothing", async () => {
    const { session, say } = open();
    const quiet = session.call("tools/call", {}, LATE);
    const failing = session.call(
      "tools/call",
      {},
      {
        ...LATE,
        onProgress: () => {
          throw new Error("the caller's");
        },
      },
    );
    say(progress(1, { progress: 1 }));
    say(progress(2, { progress: 1 }));
    say(answer(1, "one"));
    say(answer(2, "two"));
    expect([(await quiet).kind, (await failing).kind]).toEqual(["result", "result"]);
    session.close();
  });
});

const cancel = (requestId: number): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

it("a server ends its stream of changes by cancelling it, and nothing else (MCP 2026-07-28)", async () => {
  const { session, say, changes } = open();
  await session.listen(LISTEN);
  const call = session.call("tools/call", {}, LATE);
  say(cancel(2)); // a server may not cancel a call
  say(cancel(1));
  await eventually(() => expect(changes()).toBe(1));
  say(result(1)); // it may also answer it
  say(answer(2, "answered"));
  expect(await call).toMatchObject({ result: { text: "answered" } });
  expect(changes()).toBe(1);
  session.close();
});
