import type { Tool } from "@modelcontextprotocol/client";
import { launchWorkbench } from "../changed-copy.ts";
import { type Connection, connect } from "../connect.ts";
import { toldRefusals } from "../expect-refusal.ts";
import { type LocalWorkbench, makeLocalWorkbench } from "../local-workbench.ts";
import type { RunContext } from "../run-context.ts";
import type { Shown, Step } from "../step.ts";
import { StepError } from "../step-error.ts";

/** The workbench as admitted: what every later step changes one thing of. */
export interface Admitted extends Shown {
  readonly context: RunContext;
  readonly local: LocalWorkbench;
  /** What the client was served. */
  readonly served: readonly Tool[];
  readonly instructions: string;
}

/** A registry generated for this run admits the built workbench, and the official client lists its tools. */
export const admitWorkbench: Step<RunContext, Admitted> = {
  id: "admitted",
  doing: "Starting the workbench behind a registry made for this run",
  run: async (context) => {
    const local = await makeLocalWorkbench(context);
    const connection = await connect(
      launchWorkbench(local, local.program, context),
      context.signal,
    );
    if (!connection.served) throw new StepError(whyRefused(connection));
    const tools = classesOf(local, connection.tools);
    const headline = `Admitted: ${local.entry.id} serves ${tools.length} tools to the official MCP client`;
    return {
      headline,
      tools,
      context,
      local,
      served: connection.tools,
      instructions: connection.instructions ?? "",
    };
  },
};

/** Pairs each served tool with the class of its entry; both name the same tools, for the gate said so. */
function classesOf(
  { entry }: LocalWorkbench,
  served: readonly Tool[],
): NonNullable<Shown["tools"]> {
  const names = served.map(({ name }) => name).toSorted();
  const pinned = entry.tools.map(({ name }) => name).toSorted();
  if (JSON.stringify(names) !== JSON.stringify(pinned))
    throw new StepError(`expected the tools ${pinned.join(", ")}; found ${names.join(", ")}`);
  return entry.tools.map(({ name, riskClass }) => ({ name, riskClass }));
}

/** What a person needs to mend it: the first cause, where it lies, and whether there are more. */
function whyRefused({
  error,
  exit,
  stderr,
}: Extract<Connection, { readonly served: false }>): string {
  const [first, ...others] = toldRefusals(stderr);
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  const where = first ? `\nat ${first.subject}${more}` : "";
  return `expected it to serve; found exit ${exit ?? "by a signal"}, ${error.message}${where}`;
}
