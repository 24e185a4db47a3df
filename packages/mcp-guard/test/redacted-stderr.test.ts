import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectStdio, observeStdioServer } from "../src/index.ts";
import { redactedStderr } from "../src/redacted-stderr.ts";
import { goodStanding, guarded, listed } from "./guard-kit.ts";
import { codeOf, request, server, text, utf8 } from "./kit.ts";

const SECRET = "s3cr3t-w0rd/with+signs=";

/** What is handed on of pieces of stderr. */
function handedOn(pieces: readonly (string | Uint8Array)[], secrets = [SECRET]): string {
  let told = "";
  const stderr = redactedStderr((chunk) => void (told += text(chunk)), secrets);
  for (const piece of pieces) stderr.write(typeof piece === "string" ? utf8(piece) : piece);
  stderr.end();
  return told;
}

describe("what a child writes to stderr is handed on without what it was given (SR-11)", () => {
  it.each([
    ["as it is", `token ${SECRET} refused`],
    ["twice in a line", `${SECRET}${SECRET}`],
    ["in a URL", `GET /?key=${encodeURIComponent(SECRET)}`],
    ["in a JSON string", JSON.stringify({ token: SECRET })],
    ["in base64", Buffer.from(SECRET).toString("base64")],
    ["in base64, with a name before it", Buffer.from(`user:${SECRET}`).toString("base64")],
    ["in base64, with another name before it", Buffer.from(`u:${SECRET}`).toString("base64url")],
  ])("%s", (_title, line) => {
    const told = handedOn([`before\n${line}\nafter`]);
    expect(told).toContain("[redacted]");
    expect(told).toMatch(/^before\n.*\nafter$/);
    expect(told).not.toContain(SECRET.slice(2, 12));
    expect(told).not.toContain(Buffer.from(SECRET).toString("base64").slice(4, 20));
  });

  it.each([
    ["an authorization header", "authorization: Bearer abc.def-ghi", "abc.def"],
    ["a basic one", "Authorization=Basic dXNlcjpwYXNz", "dXNlcj"],
    ["a token of ours", "using eve_live_agent_0123456789abcdef", "0123456789"],
    ["a JWT", "got eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln", "eyJzdWIi"],
  ])("nor with %s that it got elsewhere", (_title, line, secret) => {
    expect(handedOn([line])).not.toContain(secret);
    expect(handedOn([line])).toContain("[redacted]");
  });

  it("wherever the pieces are cut", () => {
    const bytes = utf8(`a ${SECRET} b\nc ${SECRET}`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        expect(handedOn(pieces)).toBe("a [redacted] b\nc [redacted]");
      }),
    );
  });

  it("and nothing else is changed", () => {
    const lines = "listening on stdio\r\nnode 26, größe 3\n\n";
    expect(handedOn([lines])).toBe(lines);
    expect(handedOn([lines], ["", "on", "26"])).toBe(lines);
  });

  it("a line without end is cut, and no half of a value with it", () => {
    for (const spare of [0, 1, 5, SECRET.length - 1, SECRET.length]) {
      const told = handedOn([`${"x".repeat(64 * 1024 - spare)}${SECRET}${"y".repeat(9_000_000)}`]);
      expect(told.length).toBeLessThanOrEqual(64 * 1024 + 20);
      expect(told.endsWith("[cut]")).toBe(true);
      expect(told).not.toContain(SECRET.slice(0, 3));
    }
  });
});

const launch = (told: string[]): Parameters<typeof observeStdioServer>[0] =>
  server("tells-its-token", {
    env: { NOTES_TOKEN: SECRET },
    onStderr: (chunk) => void told.push(text(chunk)),
  });

describe("a server that writes its token to stderr, in pieces and without a newline (SR-11)", () => {
  it("is observed, and its token is not handed on", async () => {
    const told: string[] = [];
    expect(codeOf(await observeStdioServer(launch(told), request()))).toBe("ok");
    expect(told.join("")).toBe("my token is [redacted]\nBye, [redacted]");
  });

  it("is guarded, and its token is not handed on", async () => {
    const told: string[] = [];
    const { session } = guarded(connectStdio(launch(told)), () => [], {
      standing: () => Promise.resolve(goodStanding()),
    });
    // What it lists was never reviewed: it is refused, and ends.
    await expect(listed(session)).rejects.toThrow("surface.");
    await session.close();
    expect(told.join("")).toBe("my token is [redacted]\nBye, [redacted]");
  });
});
