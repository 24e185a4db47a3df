import { runCli } from "../src/cli.ts";
import type { Io } from "../src/io.ts";
import { NOW } from "@eve/test-kit";

/** What one run of the program did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly progress: readonly string[];
}

/** Runs the command line in a folder at {@link NOW}, without a terminal. */
export async function run(
  cwd: string,
  argv: readonly string[],
  change: Partial<Io> = {},
): Promise<Ran> {
  const told = { out: "", err: "" };
  const progress: string[] = [];
  const code = await runCli(argv, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, XDG_STATE_HOME: `${cwd}/state` },
    version: "1.0.0",
    now: () => NOW,
    stdout: (text) => void (told.out += text),
    stderr: (text) => void (told.err += text),
    progress: (line) => void progress.push(line),
    ask: undefined,
    ...change,
  });
  return { code, ...told, progress };
}

/** {@link run} with --json: the exit code and the one value that was printed. */
export async function runJson(
  cwd: string,
  argv: readonly string[],
  change: Partial<Io> = {},
): Promise<{ readonly code: number; readonly json: Printed; readonly err: string }> {
  const { code, out, err } = await run(cwd, [...argv, "--json"], change);
  const json: Printed = JSON.parse(out);
  return { code, json, err };
}

/** The value that --json prints. */
export interface Printed {
  readonly ok: boolean;
  readonly refusals: readonly {
    readonly code: string;
    readonly integration: string | null;
    readonly subject: string;
    readonly actual: string;
  }[];
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly [member: string]: unknown;
}

/** The codes of what was refused, in order. */
export function codesOf({ json }: { readonly json: Printed }): readonly string[] {
  return json.refusals.map(({ code }) => code);
}
