import { ENTRY_LEAVES, type EntryLeaf } from "../packages/registry-schema/src/index.ts";

const BEGIN =
  "<!-- Generated from packages/registry-schema/src/entry-leaves.ts by `pnpm generate`. Do not edit up to the end mark. -->";
const END = "<!-- End of what is generated. -->";

/** docs/entry.md with its table of leaves written anew; throws where the page has lost its marks. */
export function entryPage(page: string): string {
  const [before, rest, ...others] = page.split(BEGIN);
  const [, after, ...more] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || others.length + more.length > 0)
    throw new Error("docs/entry.md needs the two marks of its table once, in order");
  return `${before}${BEGIN}\n\n${table().join("\n")}\n\n${END}${after}`;
}

function table(): readonly string[] {
  return [
    "| Field | Kind | Judged by | Code | Meaning |",
    "| --- | --- | --- | --- | --- |",
    ...ENTRY_LEAVES.map(row),
  ];
}

function row({ path, kind, rung, code, others, meaning }: EntryLeaf): string {
  const codes = [code, ...others].map((each) => `\`${each}\``).join(", ");
  return `| \`${path}\` | ${kind} | ${rung} | ${codes} | ${meaning} |`;
}
