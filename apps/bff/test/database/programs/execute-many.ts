// One of several processes that execute one approval at once: it says that it is ready, waits for a line, and prints
// the code of each execution as JSON.
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { argv, stdin, stdout } from "node:process";
import { type Caller, connectDatabase, type PublishCall } from "../../../src/database/database.ts";

/** What the test hands over, as JSON in the first argument. */
export interface Race {
  readonly url: string;
  readonly approvals: string;
  readonly caller: Caller;
  readonly consentId: string;
  readonly call: PublishCall;
  readonly times: number;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test wrote it
const race = JSON.parse(argv[2] ?? "{}") as Race;
const { url, approvals, caller, consentId, call, times } = race;
const keys = { credentials: new Uint8Array(32), approvals: Buffer.from(approvals, "hex") };
const bff = connectDatabase({ url, keys });
// The connections are made before the start, so that the executions meet.
await Promise.all(Array.from({ length: times }, () => bff.now()));
stdout.write("ready\n");
await once(stdin, "data");
const outcomes = await Promise.all(
  Array.from({ length: times }, () => bff.executeConsent(caller, consentId, call)),
);
stdout.write(
  `${JSON.stringify(outcomes.map((outcome) => (outcome.ok ? ["ok", outcome.value] : [outcome.code, outcome.outcome])))}\n`,
);
await bff.close();
stdin.destroy();
