import { ATTACK_CASES } from "../test/e2e/src/attack-cases.ts";
import { ATTACK_CLASSES, classOf } from "../test/e2e/src/attack-classes.ts";

/** docs/attack-bank.md: what each hostile input gets, a table a class. */
export function attackBankPage(): string {
  const ids = Object.keys(ATTACK_CASES);
  const open = ids.filter((id) => ATTACK_CASES[id]?.length === 0);
  return [
    "<!-- Generated from test/e2e/src/attack-cases.ts by `pnpm generate`. Do not edit. -->",
    "",
    "# Attack bank",
    "",
    "Hostile inputs by id, and what each gets: a code of [refusal-codes.md](refusal-codes.md), or an HTTP status of a server that has no codes of ours. Several codes are those of the forms or the places in which one input is tested. `accepted` marks what must not be refused, `deferred` what waits until the registry is signed, and — what no test states yet. A test that feeds an input has its id in the title; `pnpm attack-bank` counts them.",
    "",
    `${ids.length} inputs, ${open.length} of them without a stated outcome.`,
    ...Object.entries(ATTACK_CLASSES).flatMap(([letters, title]) => [
      "",
      `## ${letters}: ${title}`,
      "",
      "| Input | Gets |",
      "| --- | --- |",
      ...ids.filter((id) => classOf(id) === letters).map((id) => `| ${id} | ${outcomeOf(id)} |`),
    ]),
    "",
  ].join("\n");
}

function outcomeOf(id: string): string {
  const outcomes = ATTACK_CASES[id] ?? [];
  return (
    outcomes.map((outcome) => (outcome.includes(".") ? `\`${outcome}\`` : outcome)).join(", ") ||
    "—"
  );
}
