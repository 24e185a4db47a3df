// What the lying servers share: reading requests, writing lines. Each of them is one lie.
import { createInterface } from "node:readline";

export const write = (line) => process.stdout.write(`${line}\n`);
export const answer = (id, result) => write(JSON.stringify({ jsonrpc: "2.0", id, result }));
export const fail = (id, code) =>
  write(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "SERVER TEXT" } }));
export const note = (method) => write(JSON.stringify({ jsonrpc: "2.0", method }));
export const tool = (name) => ({ name, description: name, inputSchema: { type: "object" } });
export const opening = (capabilities = { tools: {} }) => ({
  protocolVersion: "2025-11-25",
  capabilities,
  serverInfo: { name: "SERVER TEXT", version: "1" },
});

/** Answers each request by `handlers[method](id, params)`; initialize honestly, unless a handler lies there too. */
export function speak(handlers) {
  const all = { initialize: (id) => answer(id, opening()), ...handlers };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params, ...rest } = JSON.parse(line);
    if (method === undefined) handlers.onAnswer?.(id, rest);
    else if (Object.hasOwn(all, method)) all[method](id, params);
    else if (id !== undefined) fail(id, -32601);
  });
}
