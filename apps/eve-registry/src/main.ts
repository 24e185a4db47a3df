#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { runCli } from "./cli.ts";

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** An end of input in place of a line is an empty line. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([
      terminal.question(question),
      once(terminal, "close").then(() => ""),
    ]);
  } finally {
    terminal.close();
  }
}

/** Whoever reads the output may stop early, as `head` does; what was asked for is done all the same. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);

// Through exit, so that programs under measurement end with this one and temporary folders go.
for (const [signal, code] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.once(signal, () => process.exit(code));

process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  version: manifest.version,
  now: () => Date.now(),
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  progress: (line) => void process.stderr.write(`${line}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
});
