import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { drain } from "./drain.ts";
import { watchAnswers } from "../src/answer-watch.ts";

async function told(...chunks: readonly string[]): Promise<readonly [unknown[], string]> {
  const stdout = new PassThrough();
  const ids: unknown[] = [];
  const watched = watchAnswers(stdout, (id) => ids.push(id));
  for (const chunk of chunks) await new Promise((resolve) => watched.write(chunk, resolve));
  return [ids, drain(stdout)];
}

test("results and errors tell their ids, by type and value", async () => {
  const lines = `{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"no"}}\n`;
  expect((await told(lines))[0]).toEqual([1, "1"]);
});

test("notifications, requests and answers to nobody tell none", async () => {
  const lines = `{"jsonrpc":"2.0","method":"notifications/progress"}\n{"jsonrpc":"2.0","id":3,"method":"ping"}\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}\n`;
  expect((await told(lines))[0]).toEqual([]);
});

test("an answer cut in two is one, and the bytes are handed on unchanged", async () => {
  const [ids, text] = await told('{"jsonrpc":"2.0","id":7,', '"result":{}}\n');
  expect(ids).toEqual([7]);
  expect(text).toBe('{"jsonrpc":"2.0","id":7,"result":{}}\n');
});
