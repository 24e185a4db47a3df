// node --conditions=@eve/source scripts/generate.ts [--check]: writes what is generated from the code: pages in docs, JSON Schemas in registry/schema.
// With --check it writes nothing, names each file that is stale, and exits 1 if there is one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { attackBankPage } from "./attack-bank-page.ts";
import { entryPage } from "./entry-page.ts";
import { jsonSchemas } from "../packages/registry-schema/src/json-schema.ts";
import { refusalCodesPage } from "./refusal-codes-page.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;

/** Path from the root → what it should hold. */
const pages: readonly (readonly [path: string, text: string])[] = [
  ["docs/attack-bank.md", attackBankPage()],
  ["docs/refusal-codes.md", refusalCodesPage()],
  ["docs/entry.md", entryPage(read("docs/entry.md") ?? "")],
  ...[...jsonSchemas()].map(
    ([file, schema]) =>
      [`registry/schema/${file}`, `${JSON.stringify(schema, null, 2)}\n`] as const,
  ),
];

const stale = pages.filter(([path, text]) => read(path) !== text);
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is stale: run \`pnpm generate\`.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(
    stale.length === 0 ? "Nothing to write." : `Wrote ${stale.map(([path]) => path).join(", ")}.`,
  );
}
