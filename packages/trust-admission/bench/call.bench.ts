/**
 * Prints how long the decision on one call takes beside Cedar (WebAssembly, policy parsed before) deciding the same
 * questions, in the same run. Run with `pnpm bench`. It asserts that both decide alike, and no time.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bytesOf, hintsOf, NOW } from "@eve/test-kit";
import {
  admitToolCall,
  annotationsFor,
  type CallArguments,
  type ToolCall,
} from "@eve/trust-admission";
import { admissionOf, goodCall, goodWorld, registryOf } from "../test/world.ts";
import { isPermitted, preparePolicy, requestOf } from "./cedar-policy.ts";

const ROUNDS = 60;
const CALLS = 20_000;
const CEDAR_CALLS = 200;

const world = goodWorld();
const registry = registryOf(world);
const admission = admissionOf(world);
const record = registry.integrations.get("notes");
if (record?.status !== "complete") throw new TypeError("complete");
const { entry } = record;
const facts = {
  digest: admission.entryDigest,
  protocolVersion: admission.protocolVersion,
  newestObservationMs: registry.newestObservationMs,
  annotations: { ...annotationsFor("publish") },
};

/** What a handler decides about arguments that its own schema has judged: the same questions that Cedar is asked. */
const call = goodCall("ship_note", hintsOf("publish"), { arguments: { from: "own-schema" } });
const wire: CallArguments = { from: "wire", bytes: bytesOf({ id: "n-1", target: "staging" }) };
const withArguments: ToolCall = { ...call, arguments: wire };

preparePolicy();
const evil = { id: "notes-bearer", destination: "https://evil.example" };
const changes: readonly (readonly [Partial<ToolCall>, number])[] = [
  [{}, 0],
  [{ protocolVersion: "2026-07-28" }, 0],
  [{ generation: { listed: 1, current: 2 } }, 0],
  [{ credential: evil }, 0],
  [{ scopes: ["notes:read"] }, 0],
  [{ consent: { by: "none" } }, 0],
  [{ annotations: hintsOf("read") }, 0],
  [{}, 400 * 86_400_000],
  [{}, -400 * 86_400_000],
];
for (const [change, later] of changes) {
  const changed = { ...call, ...change };
  const ours = admitToolCall(admission, registry, changed, NOW + later).admitted;
  const theirs = isPermitted(requestOf(entry, facts, changed, NOW + later));
  if (ours !== theirs || ours !== (Object.keys(change).length + later === 0))
    throw new Error(`two decisions: ${JSON.stringify(change)} ${ours} ${theirs}`);
}

/** Microseconds of one decision. */
function time(times: number, decide: (at: number) => unknown): number {
  const start = performance.now();
  for (let at = 0; at < times; at += 1) decide(at);
  return ((performance.now() - start) * 1_000) / times;
}

const ours = (): number =>
  time(CALLS, (at) => admitToolCall(admission, registry, call, NOW + (at % 1_000)));
const judged = (): number =>
  time(CALLS, (at) => admitToolCall(admission, registry, withArguments, NOW + (at % 1_000)));
const request = requestOf(entry, facts, call, NOW);
const cedar = (): number => time(CEDAR_CALLS, () => isPermitted(request));

/** Bytes of the heap that one admitted call leaves behind, once it is compiled: the least of some runs. */
function garbage(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new TypeError("a collector");
  const runs = Array.from({ length: 10 }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    // One clock for all: a number of milliseconds is an object of its caller's.
    for (let at = 0; at < CALLS; at += 1) admitToolCall(admission, registry, call, NOW);
    return (process.memoryUsage().heapUsed - before) / CALLS;
  });
  return Math.max(0, Math.min(...runs));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

// Side by side in each round, each first in turn: whatever else the machine does slows both.
const rounds = Array.from({ length: ROUNDS }, (_, round) => {
  if (round % 2 === 0) return { ours: ours(), judged: judged(), cedar: cedar() };
  return { cedar: cedar(), judged: judged(), ours: ours() };
}).slice(ROUNDS / 3);

const line = (title: string, value: number): void =>
  console.log(`${title.padEnd(44)} ${value.toFixed(2)} µs`);
line("admitToolCall:", median(rounds.map((each) => each.ours)));
line("admitToolCall with arguments from the wire:", median(rounds.map((each) => each.judged)));
line("Cedar, stateful, policy parsed before:", median(rounds.map((each) => each.cedar)));
const ratio = median(rounds.map((each) => each.cedar / each.ours));
console.log(`${"ratio:".padEnd(44)} ${ratio.toFixed(0)} (goal: at least 50)`);
console.log(
  `${"garbage of one admitted call:".padEnd(44)} ${garbage().toFixed(1)} bytes (goal: none)`,
);
