import type { StepListener } from "./run-steps.ts";
import type { ItemReading, ListedTool, Provoked, Shown, StepResult } from "./step.ts";

/** What a screen can do. */
export interface ScreenTraits {
  readonly write: (text: string) => void;
  /** A line may be written over. */
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
}

/** Shows the steps, one after the other. */
export interface Screen extends StepListener {
  readonly line: (text: string) => void;
}

/** Erases the line that the cursor is in. */
const ERASE = "\r\u001B[2K";

/** A screen for people: on a terminal, what runs now is shown until its result takes its place. */
export function createScreen({ write, isTerminal, hasColour }: ScreenTraits): Screen {
  let count = 0;
  const line = (text: string): void => write(`${text}\n`);
  return {
    line,
    begin: (doing) => {
      if (isTerminal) write(`… ${doing}`);
    },
    end: (result) => {
      count += 1;
      if (isTerminal) write(ERASE);
      for (const text of stepLines(result, count, paint(hasColour))) line(text);
    },
  };
}

/** A colour for a screen, if it has any. */
type Paint = (colour: keyof typeof COLOURS, text: string) => string;

const COLOURS = { green: 32, red: 31, yellow: 33, dim: 2 } as const;

function paint(hasColour: boolean): Paint {
  return (colour, text) => (hasColour ? `\u001B[${COLOURS[colour]}m${text}\u001B[0m` : text);
}

/** The lines of one step: a headline, then what it showed. */
function stepLines(result: StepResult, number: number, painted: Paint): readonly string[] {
  if (result.ok)
    return [
      `${painted("green", "✓")} ${number}  ${result.shown.headline}`,
      ...shownLines(result.shown, painted).map((text) => `     ${text}`),
    ];
  return [
    `${painted("red", "✗")} ${number}  ${result.doing}`,
    ...result.why.split("\n").map((text) => `     ${text}`),
  ];
}

function shownLines({ tools = [], refusals = [], item }: Shown, painted: Paint): readonly string[] {
  return [
    ...toolLines(tools),
    ...refusals.flatMap((one) => refusalLines(one, painted)),
    ...(item ? [painted("dim", itemLine(item))] : []),
  ];
}

function itemLine({ state, version, shipments, verdicts }: ItemReading): string {
  return `In the database: ${state}, version ${version}; shipped ${times(shipments)}, verified ${times(verdicts)}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** The tools, one line a class. */
function toolLines(tools: readonly ListedTool[]): readonly string[] {
  const classes = [...new Set(tools.map(({ riskClass }) => riskClass))];
  const width = Math.max(0, ...classes.map((riskClass) => riskClass.length));
  const namesOf = (riskClass: string): string =>
    tools.flatMap((tool) => (tool.riskClass === riskClass ? [tool.name] : [])).join(", ");
  return classes.map((riskClass) => `${riskClass.padEnd(width)}  ${namesOf(riskClass)}`);
}

function refusalLines(
  { when, refusal: { code, title, remedy } }: Provoked,
  painted: Paint,
): readonly string[] {
  return [
    ...(when === undefined ? [] : [`Refused: ${when}`]),
    `${painted("yellow", code)}  ${title}.`,
    painted("dim", `→ ${remedy}`),
  ];
}
