import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";

import {
  CATALOGUE,
  publicRefusal,
  refusal,
  type Refusal,
  type RefusalCode,
} from "@eve/registry-schema";
import type { Connection } from "./connect.ts";
import { objectsAt, textAt } from "./json-members.ts";
import type { Provoked } from "./step.ts";
import { StepError } from "./step-error.ts";

/** A refusal as the JSON line on stderr has it. */
export interface ToldRefusal {
  readonly code: string;
  readonly subject: string;
}

/**
 * Requires that a program refused to start with `code` first: exit 78, and the code both in the client's error and in
 * the one JSON line on stderr. Answers all refusals of that line.
 */
export function requireRefusedStart(
  connection: Connection,
  code: RefusalCode,
): readonly ToldRefusal[] {
  if (connection.served)
    throw new StepError(
      `expected ${code}; the program was admitted and served ${connection.tools.length} tools`,
    );
  const { error, exit, stderr } = connection;
  const told = toldRefusals(stderr);
  const { exit: expectedExit } = CATALOGUE[code];
  if (told[0]?.code !== code)
    throw new StepError(
      `expected ${code} first on stderr; found ${told[0]?.code ?? firstLine(stderr)}`,
    );
  if (error.code !== code || !error.message.includes(code))
    throw new StepError(`expected ${code} in the client's error; found: ${error.message}`);
  if (exit !== expectedExit)
    throw new StepError(`expected exit ${expectedExit}; found ${exit ?? "no exit code"}`);
  return told;
}

/** Requires that the first refusal of a verdict has `code`. */
export function requireFirst(refusals: readonly Refusal[], code: RefusalCode): Refusal {
  const [first] = refusals;
  if (first?.code !== code)
    throw new StepError(`expected ${code} first; found ${first?.code ?? "an admission"}`);
  return first;
}

/** A provoked refusal as it is shown: its words come from the catalogue. */
export function provoked(code: RefusalCode, when?: string): Provoked {
  const words = publicRefusal(refusal(code, { subject: "", expected: "", actual: "" }));
  return when === undefined ? { refusal: words } : { when, refusal: words };
}

/** The refusals of the line that a refusing program writes to stderr, `{"event":"eve.refused","refusals":[…]}`; none where there is no such line. */
export function toldRefusals(stderr: string): readonly ToldRefusal[] {
  const reports = stderr.split("\n").flatMap(objectIn);
  const report = reports.find((one) => one["event"] === "eve.refused") ?? {};
  return objectsAt(report, "refusals").map((one) => ({
    code: textAt(one, "code"),
    subject: textAt(one, "subject"),
  }));
}

function objectIn(line: string): readonly JsonObject[] {
  const parsed = parseJson(Buffer.from(line));
  return parsed.ok && isJsonObject(parsed.value) ? [parsed.value] : [];
}

function firstLine(stderr: string): string {
  return stderr.split("\n", 1)[0]?.trim() || "nothing";
}
