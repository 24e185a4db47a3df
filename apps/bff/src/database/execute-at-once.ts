import { isJsonObject } from "@eve/canonical-json";
import { isConsentId } from "@eve/consent-binding";
import { formatInstant, instantMs, parseInstant } from "@eve/registry-schema";
import { sql } from "kysely";
import * as z from "zod";
import type { BffKeys } from "../credentials/keys.ts";
import type { Client } from "./client.ts";
import type { Caller, Executed, JudgedRegistry, Outcome, PublishCall } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import { argumentsOf } from "./execute-consent.ts";
import { answerOf } from "./functions.ts";
import { refused } from "./refused.ts";
import type { RecentCallers } from "./recent-callers.ts";
import { itemShape } from "./write-items.ts";

/** How long after the newest known time of the database a judgement of the registry may be used, in ms. */
const JUDGED_MS = 60_000;

const reply = z.object({ now: z.string(), answer: z.looseObject({ item: itemShape.optional() }) });

/**
 * Uses an approval in one round trip, with who calls and under which registry: the database takes only a credential that
 * is to the letter the one that was checked, the highest registry it has seen, and its own clock between two times at
 * both of which the registry admits the call. `undefined`: one of these is not so, nothing was done, and the call goes
 * the whole way.
 */
export async function executeAtOnce(
  client: Client,
  keys: BffKeys,
  recent: RecentCallers,
  caller: Caller,
  { environment, sequence, sha256, isGoverned }: JudgedRegistry,
  consentId: string,
  call: PublishCall,
): Promise<Outcome<Executed> | undefined> {
  const { newestTime: from } = recent;
  const fields = recent.fieldsOf(caller);
  const using = isConsentId(consentId) ? argumentsOf(keys, consentId, call) : undefined;
  if (!using || !fields || from === undefined) return undefined;
  const until = from + JUDGED_MS;
  // What a registry admits by its dates is one stretch of time: both ends in it, all between in it.
  if (!isGoverned(from) || !isGoverned(until)) return undefined;
  const { rows } = await sql<{
    answer: unknown;
  }>`select bff.execute_at_once(${fields}, ${environment}, ${sequence}, ${sha256}, ${formatInstant(from)}, ${formatInstant(until)}, ${using}) as answer`.execute(
    client,
  );
  const answered = rows[0]?.answer ?? null;
  if (answered === null) return undefined;
  const { now, answer } = reply.parse(answered);
  const instant = parseInstant(now);
  if (instant !== undefined) recent.newestTime = instantMs(instant);
  const outcome = answerOf(answer);
  if (!outcome.ok) return refused(outcome, consentId);
  if (isJsonObject(outcome.value) && answer.item)
    return { ok: true, value: { outcome: outcome.value, item: answer.item } };
  throw new DatabaseError("database.answer_invalid", "An execution answered no outcome.");
}
