// One of several processes of the service that act at once. It reads one order a line, and answers each with one line:
// the code of each of its calls as JSON, or the name of the fault where the outcome is unknown.
import { Buffer } from "node:buffer";
import { flushCompileCache } from "node:module";
import { argv, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BffDatabase,
  type Caller,
  type ConsentRequest,
  connectDatabase,
  type Decision,
  type PublishCall,
} from "../../../src/database/database.ts";

/** What the test hands over at the start, as JSON in the first argument. */
export interface RacerStart {
  readonly url: string;
  /** The key of approvals, in hex. */
  readonly approvals: string;
  /** How many connections are made before the first order. */
  readonly connections: number;
}

/** A call of the service's store, as often as `times`, all at once or spread over `spreadMs`. */
export interface Order {
  readonly caller: Caller;
  readonly consentId: string;
  readonly act:
    | { readonly execute: PublishCall }
    | { readonly decide: Decision }
    /** Each call makes another of these, and after the last the first again. */
    | { readonly request: readonly ConsentRequest[] };
  readonly times: number;
  readonly spreadMs: number;
}

/** `ok`, a refusal's code, or `fault`; and what was recorded, or the id of the request, where the answer tells it. */
export type RacerAnswer = readonly [code: string, outcome: unknown];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test wrote it
const start = JSON.parse(argv[2] ?? "{}") as RacerStart;
const keys = {
  credentials: new Uint8Array(32),
  approvals: Buffer.from(start.approvals, "hex"),
};
const bff = connectDatabase({ url: start.url, keys });
// Made before the first order, so that the calls meet.
await Promise.all(Array.from({ length: start.connections }, () => bff.now()));
stdout.write("ready\n");
// Most of these are killed, and what is killed writes no cache at its end.
flushCompileCache();
for await (const line of createInterface({ input: stdin })) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test wrote it
  const order = JSON.parse(line) as Order;
  const answers = Array.from({ length: order.times }, (_, at) => answer(bff, order, at));
  stdout.write(`${JSON.stringify(await Promise.all(answers))}\n`);
}
await bff.close();

async function answer(
  database: BffDatabase,
  { caller, consentId, act, spreadMs, times }: Order,
  at: number,
): Promise<RacerAnswer> {
  const delayMs = (spreadMs * at) / times;
  if (delayMs > 0) await sleep(delayMs);
  try {
    if ("request" in act) return await ask(database, caller, act.request[at % act.request.length]);
    const outcome =
      "execute" in act
        ? await database.executeConsent(caller, consentId, act.execute)
        : await database.decideConsent(caller, consentId, act.decide);
    if (!outcome.ok) return [outcome.code, outcome.outcome ?? null];
    return ["ok", "execute" in act ? outcome.value : null];
  } catch {
    return ["fault", null];
  }
}

async function ask(
  database: BffDatabase,
  caller: Caller,
  request: ConsentRequest | undefined,
): Promise<RacerAnswer> {
  if (request === undefined) return ["fault", null];
  const asked = await database.requestConsent(caller, request);
  return asked.ok ? ["ok", asked.value.id] : [asked.code, null];
}
