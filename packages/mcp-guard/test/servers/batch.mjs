import { speak, tool, write } from "./speak.mjs";

speak({
  "tools/list": (id) =>
    write(JSON.stringify([{ jsonrpc: "2.0", id, result: { tools: [tool("one")] } }])),
});
