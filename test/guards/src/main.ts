import { idsIn } from "@eve/e2e/attack-citations";
import { GUARDS } from "./guards.ts";
import { isSeen, type Proof, prove } from "./proof.ts";

// node --conditions=@eve/source test/guards/src/main.ts [ID or class, such as RB-01 or RB …]: switches each guard off and
// runs the tests of its inputs, which must fail. Exits 1 where they do not notice. No file is changed.
const AT_ONCE = 2;

const wanted = process.argv.slice(2);
const odd = wanted.filter((word) => !/^[A-Z]{2}$/.test(word) && idsIn(word).length === 0);
const chosen = GUARDS.filter(({ inputs }) => inputs.some(isWanted));
if (odd.length > 0 || chosen.length === 0) {
  const cause = odd.length > 0 ? `not ${odd.join(", ")}` : "no guard is listed for these";
  console.error(`usage: guards [ID or class …], such as RB-01 or RB; ${cause}`);
  process.exit(2);
}

const waiting = [...chosen];
const proofs: Proof[] = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));

const unseen = proofs.filter((proof) => !isSeen(proof));
const inputs = new Set(chosen.flatMap((guard) => guard.inputs));
console.log(
  `${chosen.length} guards of ${inputs.size} inputs, switched off one at a time: ${proofs.length - unseen.length} seen by the tests of each of their inputs, ${unseen.length} not`,
);
process.exitCode = unseen.length === 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let guard = waiting.shift(); guard; guard = waiting.shift()) {
    const proof = await prove(guard);
    proofs.push(proof);
    tell(proof);
  }
}

function tell(proof: Proof): void {
  const { guard, run } = proof;
  const word = isSeen(proof) ? "seen" : "UNSEEN";
  console.log(
    `${proofs.length}/${chosen.length} ${word}: ${guard.name} (${guard.inputs.join(", ")}); without it ${run.failed.length} tests failed, ${run.passed.length} passed`,
  );
  for (const id of proof.unseen) console.log(`    ${id}: no test fails while the guard is off`);
  for (const fault of proof.faults) console.log(`    ${fault}`);
  if (!isSeen(proof)) for (const title of run.failed) console.log(`    failed: ${title}`);
}

function isWanted(id: string): boolean {
  return wanted.length === 0 || wanted.some((word) => id === word || id.startsWith(`${word}-`));
}
