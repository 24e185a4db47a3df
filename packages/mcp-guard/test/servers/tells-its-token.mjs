// Writes its credential to stderr: in two pieces, and once more when its input ends, without a newline.
import { answer, speak, tool } from "./speak.mjs";

const token = process.env.NOTES_TOKEN;
process.stderr.write(`my token is ${token.slice(0, 9)}`);
setTimeout(() => process.stderr.write(`${token.slice(9)}\n`), 20);
process.stdin.on("end", () => process.stderr.write(`Bye, ${token}`));
speak({ "tools/list": (id) => setTimeout(() => answer(id, { tools: [tool("one")] }), 60) });
