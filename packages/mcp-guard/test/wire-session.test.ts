import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OBSERVATION_LIMITS } from "../src/index.ts";
import { refuserFor } from "../src/observation-refusal.ts";
import { MAX_SERVER_REQUESTS, type WireSession } from "../src/session.ts";
import { openSession } from "../src/wire-session.ts";

const limits = { ...OBSERVATION_LIMITS, maxTotalBytes: 4_096 };

interface Wire {
  readonly session: WireSession;
  /** Bytes that the server sends. */
  readonly say: (text: string) => void;
  readonly changes: () => number;
}

function open(): Wire {
  const channel = { toServer: new PassThrough().resume(), fromServer: new PassThrough() };
  let changes = 0;
  const changed = (): void => {
    changes += 1;
  };
  const session = openSession(channel, limits, refuserFor("liar"), { changed });
  return {
    session,
    say: (text) => void channel.fromServer.write(`${text}\n`),
    changes: () => changes,
  };
}
const result = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
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

  it("is over when a call's own time is: surface.unavailable", async () => {
    const { session } = open();
    const answer = session.ask("tools/call", {}, { timeoutMs: 100 });
    vi.advanceTimersByTime(100);
    expect(await answer).toMatchObject({ kind: "refused" });
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
    await vi.waitFor(() => expect(changes()).toBe(1));
    session.close();
  });

  it("is the end of a stream of changes, but not that there is none", async () => {
    const { say, changes, session } = open();
    session.listen("subscriptions/listen", {});
    session.listen("subscriptions/listen", {});
    say('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"SERVER TEXT"}}');
    say(result(2));
    await vi.waitFor(() => expect(changes()).toBe(1));
    expect(session.failure()).toBeUndefined();
    say(result(2));
    await vi.waitFor(() => expect(session.failure()?.refusals[0].code).toBe("protocol.framing"));
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
