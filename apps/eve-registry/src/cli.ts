import { CommanderError } from "commander";
import { type Io } from "./io.ts";
import { EXIT_FAULT, EXIT_REFUSED, EXIT_USAGE, type Outcome, refusalLines } from "./outcome.ts";
import { buildProgram } from "./program.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Runs one command and answers its exit code: 0, 2 usage, 70 fault, 78 refused. With `--json` stdout gets exactly one
 * value, `{ok, refusals, …}`, in every case but help and version. Never throws.
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  let outcome: Outcome | undefined;
  const program = buildProgram(io, (done) => {
    outcome = done;
  });
  const isJson = (): boolean => program.opts<{ readonly json?: boolean }>().json === true;
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    return failed(error, isJson(), io);
  }
  if (outcome) show(outcome, isJson(), io);
  return outcome && outcome.refusals.length > 0 ? EXIT_REFUSED : 0;
}

function show({ lines, json, refusals }: Outcome, isJson: boolean, { stdout, stderr }: Io): void {
  if (isJson) {
    stdout(`${JSON.stringify({ ok: refusals.length === 0, ...json, refusals })}\n`);
    return;
  }
  for (const line of lines) stdout(`${line}\n`);
  for (const line of refusals.flatMap(refusalLines)) stderr(`${line}\n`);
}

function failed(error: unknown, isJson: boolean, { stdout, stderr }: Io): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  const message = messageOf(error);
  if (isJson)
    stdout(
      `${JSON.stringify({ ok: false, refusals: [], error: { code: isUsage ? "usage" : "fault", message } })}\n`,
    );
  // The parser of the command line has told people already.
  else if (!(error instanceof CommanderError)) stderr(`${message}\n`);
  return isUsage ? EXIT_USAGE : EXIT_FAULT;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof CommanderError)) return error.message;
  return error.code === "commander.help"
    ? "Name a command: eve-registry --help lists them."
    : error.message.replace(/^error: /, "").replaceAll("\n", " ");
}
