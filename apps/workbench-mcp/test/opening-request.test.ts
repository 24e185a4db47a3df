import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { watchOpening } from "../src/opening-request.ts";

async function idOf(...chunks: readonly (string | Buffer)[]): Promise<unknown> {
  const stdin = new PassThrough();
  const opening = watchOpening(stdin);
  for (const chunk of chunks) stdin.write(chunk);
  stdin.end();
  return opening.id();
}

const initialize = (id: unknown): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params: {} })}\n`;

describe("watchOpening", () => {
  test.each([1, 0, -7, "a", "", "ä"])("answers the id %j of the first request", async (id) =>
    expect(await idOf(initialize(id))).toBe(id),
  );
  test("reads a request that comes byte by byte", async () =>
    expect(await idOf(...initialize("ä→x").split(""))).toBe("ä→x"));
  test("reads a request whose characters are cut in two", async () => {
    const bytes = Buffer.from(initialize("ä"));
    expect(await idOf(...Array.from(bytes, (byte) => Buffer.from([byte])))).toBe("ä");
  });
  test("passes over notifications, answers, junk, batches and requests without a usable id", async () => {
    const noise = [
      `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
      `{"jsonrpc":"2.0","id":3,"result":{}}`,
      "junk",
      "",
      "null",
      `[${initialize(4).trim()}]`,
      initialize(null).trim(),
      initialize({}).trim(),
      `{"id":5,"id":6,"method":"x"}`,
    ];
    expect(await idOf(`${noise.join("\n")}\n`, initialize(9), initialize(10))).toBe(9);
  });
  test("answers none at the end of input", async () => {
    expect(await idOf()).toBeUndefined();
    expect(await idOf(initialize(1).trimEnd())).toBeUndefined();
  });
  test("answers none for input that has ended before", async () => {
    const stdin = new PassThrough();
    stdin.end();
    stdin.resume();
    await new Promise((resolve) => stdin.once("close", resolve));
    expect(await watchOpening(stdin).id()).toBeUndefined();
  });
  test("answers none when the input breaks", async () => {
    const stdin = new PassThrough();
    const { id } = watchOpening(stdin);
    stdin.destroy(new Error("broken"));
    expect(await id()).toBeUndefined();
  });
  test("tells of a line that is too long, once, and gives up", async () => {
    const stdin = new PassThrough();
    let told = 0;
    const { id } = watchOpening(stdin, () => (told += 1));
    for (let i = 0; i < 5; i++) stdin.write(Buffer.alloc(1024 * 1024, 0x20));
    expect(await id()).toBeUndefined();
    expect(told).toBe(1);
  });
  test("passes over requests that were answered, and answers the oldest that was not", async () => {
    const stdin = new PassThrough();
    const opening = watchOpening(stdin);
    stdin.write(initialize(1) + initialize(2) + initialize(3));
    expect(await opening.id()).toBe(1);
    opening.answered(1);
    opening.answered("2");
    expect(await opening.id()).toBe(2);
  });
  test("waits for the next request where all were answered", async () => {
    const stdin = new PassThrough();
    const opening = watchOpening(stdin);
    stdin.write(initialize(1));
    await opening.id();
    opening.answered(1);
    const next = opening.id();
    stdin.write(initialize(4));
    expect(await next).toBe(4);
  });
  test("leaves the bytes to another reader and takes its listeners away", async () => {
    const stdin = new PassThrough();
    const seen: Buffer[] = [];
    const { id, stop } = watchOpening(stdin);
    stdin.on("data", (chunk: Buffer) => seen.push(chunk));
    stdin.write(initialize(1));
    await id();
    stop();
    expect(Buffer.concat(seen).toString()).toBe(initialize(1));
    expect(["data", "end", "close", "error"].map((event) => stdin.listenerCount(event))).toEqual([
      1, 0, 0, 0,
    ]);
  });
});
