// node --conditions=@eve/source scripts/attack-bank.ts [report.json…]: how many hostile inputs of each class the tests
// feed. Reports are vitest's own (`--reporter=json`); with them it also counts the inputs whose tests passed.
// Exits 1 where the project's list of inputs is not the bank's, or a stated outcome has no test.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sharedFolder } from "../packages/config/shared-folder.ts";
import { isRefusalCode } from "../packages/registry-schema/src/index.ts";
import { ATTACK_CASES } from "../test/e2e/src/attack-cases.ts";
import { idsIn, readAttackCitations } from "../test/e2e/src/attack-citations.ts";
import { ATTACK_CLASSES, classOf } from "../test/e2e/src/attack-classes.ts";

/** The ids of the bank itself; undefined where the shared folder is not beside the project. */
function bankIds(): readonly string[] | undefined {
  const file = sharedFolder("attack-bank", "cases.json");
  if (!existsSync(file)) return undefined;
  const cases: readonly { readonly id: string }[] = JSON.parse(readFileSync(file, "utf8"));
  return cases.map(({ id }) => id);
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const reports = process.argv.slice(2);
const results = reports
  .map((file): Report => JSON.parse(readFileSync(file, "utf8")))
  .flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults));

/** The ids of inputs that tests of this status feed. */
function idsWith(status: string): readonly string[] {
  return results.flatMap((result) => (result.status === status ? idsIn(result.fullName) : []));
}

/** The ids whose tests ran in the reports and all passed. */
function passedIds(): ReadonlySet<string> {
  const failed = new Set(idsWith("failed"));
  return new Set(idsWith("passed").filter((id) => !failed.has(id)));
}

/** The codes in the titles of the tests that feed an input, as the reports tell them. */
function toldOf(id: string): readonly string[] {
  const titles = results.filter(({ fullName }) => idsIn(fullName).includes(id));
  const words = titles.flatMap(({ fullName }) => fullName.match(/[a-z]+\.[a-z_]+/g) ?? []);
  return [...new Set(words.filter(isRefusalCode))];
}

const ids = Object.keys(ATTACK_CASES);
const bank = bankIds();
const { files, cited } = readAttackCitations(fileURLToPath(new URL("..", import.meta.url)));
const passed = passedIds();
const isDeferred = (id: string): boolean => ATTACK_CASES[id]?.includes("deferred") === true;

const rows = Object.entries(ATTACK_CLASSES).map(([letters, title]) => {
  const own = ids.filter((id) => classOf(id) === letters);
  return {
    class: `${letters}: ${title}`,
    inputs: own.length,
    covered: own.filter((id) => cited.has(id)).length,
    deferred: own.filter(isDeferred).length,
    ...(reports.length > 0 && { passed: own.filter((id) => passed.has(id)).length }),
    open: own.filter((id) => !cited.has(id) && !isDeferred(id)).join(" "),
  };
});
console.table(rows);
const count = (is: (id: string) => boolean): number => ids.filter(is).length;
console.log(
  `${ids.length} inputs: ${count((id) => cited.has(id))} cited in the titles of ${files} test files, ${count(isDeferred)} deferred, ${count((id) => !cited.has(id) && !isDeferred(id))} open`,
);
const unstated = ids.filter((id) => cited.has(id) && ATTACK_CASES[id]?.length === 0);
if (unstated.length > 0)
  console.log(
    `tested, outcome not listed in test/e2e/src/attack-cases.ts: ${unstated.map((id) => [id, ...toldOf(id)].join(" ")).join("; ")}`,
  );

const faults = [
  ...ids
    .filter((id) => (ATTACK_CASES[id]?.length ?? 0) > 0 && !isDeferred(id) && !cited.has(id))
    .map((id) => `${id}: an outcome is listed, and no test has the id in its title`),
  ...[...cited.keys()]
    .filter((id) => !(id in ATTACK_CASES) && classOf(id) in ATTACK_CLASSES)
    .map((id) => `${id}: cited, and no input of the list`),
  ...(bank ?? ids).filter((id) => !ids.includes(id)).map((id) => `${id}: missing in the list`),
  ...ids.filter((id) => bank?.includes(id) === false).map((id) => `${id}: not in the bank`),
];
if (!bank) console.log("The bank itself was NOT READ: no shared folder beside the project.");
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
