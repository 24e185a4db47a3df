// Honest: a server that ends its lines as Windows does.
import { opening, speak, tool, write } from "./speak.mjs";

const answer = (id, result) => write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\r`);
speak({
  initialize: (id) => answer(id, opening()),
  "tools/list": (id) => answer(id, { tools: [tool("one")] }),
});
