// Two answers to one request, in one write.
import { speak, tool } from "./speak.mjs";

speak({
  "tools/list": (id) => {
    const line = (name) =>
      `${JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [tool(name)] } })}\n`;
    process.stdout.write(line("good") + line("evil"));
  },
});
