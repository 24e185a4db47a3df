import type { JsonValue } from "@eve/canonical-json";
import { isRefusalCode } from "@eve/registry-schema";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod";
import type { Client } from "./client.ts";
import type { Outcome } from "./database.ts";
import { DatabaseError } from "./errors.ts";

const jsonObject = z.record(z.string(), z.json());
const answer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.json().nullable() }),
  z.object({
    ok: z.literal(false),
    code: z.string().refine(isRefusalCode),
    outcome: jsonObject.optional(),
  }),
]);

/** Calls one of the database's functions, which answers {ok, value} or {ok, code, outcome?}. One round trip. */
export async function callFunction(
  client: Client,
  call: RawBuilder<unknown>,
): Promise<Outcome<JsonValue>> {
  const { rows } = await sql<{ answer: unknown }>`select ${call} as answer`.execute(client);
  return answerOf(rows[0]?.answer);
}

/** Reads what a function answered. */
export function answerOf(answered: unknown): Outcome<JsonValue> {
  const parsed = answer.safeParse(answered);
  if (!parsed.success)
    throw new DatabaseError("database.answer_invalid", "A function gave no answer of its kind.");
  if (parsed.data.ok) return { ok: true, value: parsed.data.value };
  const { code, outcome } = parsed.data;
  return outcome === undefined ? { ok: false, code } : { ok: false, code, outcome };
}

/** The same, with the value read by `shape`. */
export async function callFor<T>(
  client: Client,
  call: RawBuilder<unknown>,
  shape: z.ZodType<T>,
): Promise<Outcome<T>> {
  const outcome = await callFunction(client, call);
  if (!outcome.ok) return outcome;
  const value = shape.safeParse(outcome.value);
  if (value.success) return { ok: true, value: value.data };
  throw new DatabaseError("database.answer_invalid", "A function answered another value.");
}
