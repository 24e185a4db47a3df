import { opening, speak, write } from "./speak.mjs";

speak({
  initialize: (id) => write(`\uFEFF${JSON.stringify({ jsonrpc: "2.0", id, result: opening() })}`),
});
