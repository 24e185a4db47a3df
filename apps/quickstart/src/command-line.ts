import { parseArgs } from "node:util";

/** What the command line asks for. */
export type CommandLine =
  | { readonly ok: true; readonly demo: boolean; readonly json: boolean; readonly help: boolean }
  | { readonly ok: false; readonly why: string };

/** The text of --help. */
export const USAGE = `usage: npm start [-- --json]
       npm run demo [-- --json]

Shows the whole system on this machine: a workbench that is admitted and every way in which it is not, a shipment that
needs an operator's approval, a protected peer. Then it stays up until Ctrl-C, for a client and a browser of your own.

  --demo   do not stay up: end with 0, or with 1 if a step did not hold
  --json   one JSON value on stdout instead of lines
`;

/** Parses the arguments after the script's name. Never throws. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        demo: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    return {
      ok: true,
      demo: values.demo ?? false,
      json: values.json ?? false,
      help: values.help ?? false,
    };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
