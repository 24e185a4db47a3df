import { speak, write } from "./speak.mjs";

speak({
  "tools/list": (id) =>
    write(
      `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"t","inputSchema":{"__proto__":{"type":"object"}}}]}}`,
    ),
});
