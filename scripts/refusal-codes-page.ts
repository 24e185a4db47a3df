import { CATALOGUE, type CatalogueRow } from "../packages/registry-schema/src/index.ts";

/** docs/refusal-codes.md: the catalogue as a table a subject, in the catalogue's order. */
export function refusalCodesPage(): string {
  const rows = Object.entries(CATALOGUE);
  const subjects = [...new Set(rows.map(([code]) => subjectOf(code)))];
  return [
    "<!-- Generated from packages/registry-schema/src/refusal-table.ts by `pnpm generate`. Do not edit. -->",
    "",
    "# Refusal codes",
    "",
    "Each cause of refusal has one code. A code is never renamed and never reused, and neither are its numbers: programs may compare them. A model or a client sees code, title and remedy, and no more.",
    "",
    "A program that refuses to start exits with the code of the last column; over HTTP the code is the member `code` of an `application/problem+json` body; over JSON-RPC it is in the error's `data`.",
    "",
    `There are ${rows.length} codes: ${subjects.map((subject) => `[${subject}](#${subject})`).join(", ")}.`,
    ...subjects.flatMap((subject) => [
      "",
      `## ${subject}`,
      "",
      ...table(rows.filter(([code]) => subjectOf(code) === subject)),
    ]),
    "",
  ].join("\n");
}

function subjectOf(code: string): string {
  return code.split(".")[0] ?? code;
}

function table(rows: readonly (readonly [string, CatalogueRow])[]): readonly string[] {
  return [
    "| Code | What is wrong | What to do | Follows | HTTP | JSON-RPC | Exit |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(
      ([code, { title, remedy, clause, http, jsonRpc, exit }]) =>
        `| \`${code}\` | ${title} | ${remedy} | ${clause} | ${http} | ${jsonRpc} | ${exit} |`,
    ),
  ];
}
