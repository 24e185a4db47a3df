import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findWorkspace } from "@eve/registry-cli";
import { createCleanup } from "./cleanup.ts";
import { parseCommandLine, USAGE } from "./command-line.ts";
import { findPlaces } from "./places.ts";
import { quickstart, type RunOptions } from "./quickstart.ts";
import { makeRunFolder, takeRunFolder } from "./run-folder.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs in a folder of its own that is gone afterwards, also when a signal ends the run: then its children end first. */
async function run(options: RunOptions): Promise<boolean> {
  const app = dirname(dirname(fileURLToPath(import.meta.url)));
  const workspace = findWorkspace(app, {});
  const kept = options.demo ? undefined : join(workspace.root, ".eve");
  const folder =
    (kept === undefined ? undefined : takeRunFolder(join(kept, "quickstart"))) ??
    makeRunFolder(tmpdir());
  const given = new AbortController();
  process.once("exit", folder.remove);
  const giveUp = (exit: number): void => {
    given.abort();
    process.exit(exit);
  };
  let onSignal = giveUp;
  for (const signal of SIGNALS) process.on(signal, () => onSignal(128 + constants.signals[signal]));
  const untilStopped = (): Promise<void> =>
    new Promise((resolve) => {
      onSignal = () => {
        onSignal = giveUp; // a second one does not wait
        resolve();
      };
    });
  const { stdout, env } = process;
  stdout.once("error", () => giveUp(EXIT_FAILED)); // whoever read this has gone
  return quickstart(
    {
      workspace,
      packages: app,
      folder: folder.path,
      kept,
      places: await findPlaces(),
      now: Math.floor(Date.now() / 1000) * 1000,
      env,
      signal: given.signal,
      cleanup: createCleanup(),
    },
    options,
    {
      write: (text) => void stdout.write(text),
      isTerminal: stdout.isTTY && env["TERM"] !== "dumb",
      hasColour: stdout.isTTY && env["TERM"] !== "dumb" && !env["NO_COLOR"],
    },
    untilStopped,
  );
}

const command = parseCommandLine(process.argv.slice(2));
if (!command.ok) {
  process.stderr.write(`${command.why}\n\n${USAGE}`);
  process.exitCode = EXIT_USAGE;
} else if (command.help) process.stdout.write(USAGE);
else process.exitCode = (await run(command)) ? 0 : EXIT_FAILED;
