import { readFileSync, writeSync } from "node:fs";
import type { Guard } from "./guard.ts";
import { runWithout } from "./run-without.ts";

// Reads {tests, edits} from stdin, runs the tests with the edits made, writes the outcome to descriptor 3.
const { tests, edits }: Pick<Guard, "tests" | "edits"> = JSON.parse(readFileSync(0, "utf8"));
writeSync(3, JSON.stringify(await runWithout(tests, edits)));
process.exit(0);
