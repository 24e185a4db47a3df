// Lines that are well-formed and never end.
import { speak, write } from "./speak.mjs";

const line = JSON.stringify({ jsonrpc: "2.0", method: "m", params: { x: "x".repeat(65_536) } });
const more = () => {
  while (write(line));
  process.stdout.once("drain", more);
};
speak({ "tools/list": more });
