// Ends in the middle; its child, which holds stdout open, stays.
import { spawn } from "node:child_process";
import { speak } from "./speak.mjs";

const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
  stdio: ["ignore", "inherit", "ignore"],
});
process.stderr.write(`${JSON.stringify([process.pid, child.pid])}\n`);
speak({ "tools/list": () => process.exit(3) });
