import { constants, tmpdir } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findWorkspace } from "@eve/registry-cli";
import { parseCommandLine, USAGE } from "./command-line.ts";
import { quickstart } from "./quickstart.ts";
import { makeRunFolder } from "./run-folder.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs in a folder of its own that is gone afterwards, also when a signal ends the run: then its children end first. */
async function run(options: { readonly demo: boolean; readonly json: boolean }): Promise<boolean> {
  const app = dirname(dirname(fileURLToPath(import.meta.url)));
  const folder = makeRunFolder(tmpdir());
  const given = new AbortController();
  process.once("exit", folder.remove);
  const giveUp = (exit: number): never => {
    given.abort();
    process.exit(exit);
  };
  for (const signal of SIGNALS) process.once(signal, () => giveUp(128 + constants.signals[signal]));
  const { stdout, env } = process;
  stdout.once("error", () => giveUp(EXIT_FAILED)); // whoever read this has gone
  return quickstart(
    {
      workspace: findWorkspace(app, {}),
      packages: app,
      folder: folder.path,
      now: Math.floor(Date.now() / 1000) * 1000,
      env,
      signal: given.signal,
    },
    options,
    {
      write: (text) => void stdout.write(text),
      isTerminal: stdout.isTTY && env["TERM"] !== "dumb",
      hasColour: stdout.isTTY && env["TERM"] !== "dumb" && !env["NO_COLOR"],
    },
  );
}

const command = parseCommandLine(process.argv.slice(2));
if (!command.ok) {
  process.stderr.write(`${command.why}\n\n${USAGE}`);
  process.exitCode = EXIT_USAGE;
} else if (command.help) process.stdout.write(USAGE);
else process.exitCode = (await run(command)) ? 0 : EXIT_FAILED;
