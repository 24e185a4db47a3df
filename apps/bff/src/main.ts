#!/usr/bin/env node
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { runCli } from "./program/cli.ts";

const MAX_REGISTRY_BYTES = 8 * 1024 * 1024;
const registry = join(dirname(fileURLToPath(import.meta.url)), "registry.json");

const exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  readRegistry: () =>
    readRegularFileSync(registry, { maxBytes: MAX_REGISTRY_BYTES, followsLinks: true }),
  now: () => Date.now(),
  onStop: (stop) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
  },
});
// A stop that took too long leaves connections open; they do not keep the process.
process.exit(exitCode);
