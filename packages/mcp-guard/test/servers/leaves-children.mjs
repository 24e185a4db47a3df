// Leaves two children behind: one in its process group, one in a session of its own; tells their ids on stderr.
import { spawn } from "node:child_process";
import { answer, speak, tool } from "./speak.mjs";

const forever = ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"];
const children = [false, true].map((detached) =>
  spawn(process.execPath, forever, { detached, stdio: "ignore" }),
);
children.forEach((child) => child.unref());
process.stderr.write(`${JSON.stringify(children.map((child) => child.pid))}\n`);
speak({ "tools/list": (id) => answer(id, { tools: [tool("one")] }) });
