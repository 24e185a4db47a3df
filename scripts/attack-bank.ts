// node --conditions=@eve/source scripts/attack-bank.ts: how many hostile inputs of each class the tests feed, and how
// many of these passed in the last whole run of each package's tests (`pnpm attack-bank` makes that run first).
// Exits 1 where the project's list of inputs is not the bank's, a stated outcome has no test, or a test did not pass.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OUTCOMES_FILE, type Outcome } from "../packages/config/outcomes.ts";
import { sharedFolder } from "../packages/config/shared-folder.ts";
import { ATTACK_CASES } from "../test/e2e/src/attack-cases.ts";
import { idsIn, readAttackCitations } from "../test/e2e/src/attack-citations.ts";
import { ATTACK_CLASSES, classOf } from "../test/e2e/src/attack-classes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The ids of the bank itself; undefined where the shared folder is not beside the project. */
function bankIds(): readonly string[] | undefined {
  const file = sharedFolder("attack-bank", "cases.json");
  if (!existsSync(file)) return undefined;
  const cases: readonly { readonly id: string }[] = JSON.parse(readFileSync(file, "utf8"));
  return cases.map(({ id }) => id);
}

const results = globSync(`{packages,apps,test}/*/${OUTCOMES_FILE}`, { cwd: root })
  .concat(globSync(`registry/${OUTCOMES_FILE}`, { cwd: root }))
  .flatMap((file): readonly Outcome[] => JSON.parse(readFileSync(join(root, file), "utf8")));

/** The ids of inputs that a test which ended so feeds. */
function idsOf(state: string): ReadonlySet<string> {
  return new Set(results.flatMap((result) => (result.state === state ? idsIn(result.title) : [])));
}

const ids = Object.keys(ATTACK_CASES);
const bank = bankIds();
const { files, cited } = readAttackCitations(root);
const [passes, failures] = [idsOf("passed"), idsOf("failed")];
/** Whether the tests of an input ran and none failed. */
const isPassed = (id: string): boolean => passes.has(id) && !failures.has(id);
const isDeferred = (id: string): boolean => ATTACK_CASES[id]?.includes("deferred") === true;
const isOpen = (id: string): boolean => !cited.has(id) && !isDeferred(id);

const rows = Object.entries(ATTACK_CLASSES).map(([letters, title]) => {
  const own = ids.filter((id) => classOf(id) === letters);
  return {
    class: `${letters}: ${title}`,
    cases: own.length,
    covered: own.filter((id) => cited.has(id)).length,
    passed: own.filter(isPassed).length,
    deferred: own.filter(isDeferred).length,
    open: own.filter(isOpen).join(" "),
  };
});
console.table(rows);
const count = (is: (id: string) => boolean): number => ids.filter(is).length;
console.log(
  `${ids.length} cases: ${count((id) => cited.has(id))} covered by titles in ${files} test files, ${count(isPassed)} passed, ${count(isDeferred)} deferred, ${count(isOpen)} open`,
);

const unrun = ids.filter((id) => cited.has(id) && !passes.has(id) && !failures.has(id));
/** One line for all inputs that share a fault. */
function told(fault: string, of: readonly string[]): readonly string[] {
  return of.length === 0 ? [] : [`${of.join(" ")}: ${fault}`];
}

const faults = [
  ...ids
    .filter((id) => (ATTACK_CASES[id]?.length ?? 0) > 0 && !isDeferred(id) && !cited.has(id))
    .map((id) => `${id}: an outcome is listed, and no test has the id in its title`),
  ...[...cited.keys()]
    .filter((id) => !(id in ATTACK_CASES) && classOf(id) in ATTACK_CLASSES)
    .map((id) => `${id}: cited, and no input of the list`),
  ...(bank ?? ids).filter((id) => !ids.includes(id)).map((id) => `${id}: missing in the list`),
  ...ids.filter((id) => bank?.includes(id) === false).map((id) => `${id}: not in the bank`),
  ...ids
    .filter((id) => cited.has(id) && ATTACK_CASES[id]?.length === 0)
    .map((id) => `${id}: tested, and no outcome is listed in test/e2e/src/attack-cases.ts`),
  ...told("a test of it failed", [...failures]),
  ...told("covered, and no test of it ran to its end", unrun),
];
if (!bank) console.log("The bank itself was NOT READ: no shared folder beside the project.");
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
