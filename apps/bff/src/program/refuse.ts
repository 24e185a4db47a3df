import { type Refusal, type RefusalCode, type Refusals, refusal } from "@eve/registry-schema";

/** sysexits' EX_CONFIG (ADR-0092: exit code 78). */
const EXIT_REFUSED = 78;

/** Where a refusal at start is told. */
export interface RefusalEdge {
  readonly stderr: (text: string) => void;
}

/** Tells why the program does not start, as one JSON line and then in prose, and answers exit code 78. */
export function refuse(refusals: Refusals, { stderr }: RefusalEdge): number {
  stderr(
    `${JSON.stringify({ event: "eve.refused", program: "bff", code: refusals[0].code, refusals })}\n`,
  );
  stderr(`bff is refused and serves nothing.\n${refusals.map(prose).join("")}`);
  return EXIT_REFUSED;
}

/** A refusal about one setting; `actual` must hold nothing of its value. */
export function refuseSetting(
  code: RefusalCode,
  subject: string,
  expected: string,
  actual: string,
): Refusal {
  return refusal(code, { subject, expected, actual });
}

function prose({ code, title, subject, expected, actual, remedy }: Refusal): string {
  return `  ${code}: ${title}.\n    ${subject}: expected ${expected}; found ${actual}.\n    ${remedy}\n`;
}
