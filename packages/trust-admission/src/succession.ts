import { canonicalJson, isJsonObject, type JsonObject } from "@eve/canonical-json";
import { type Refusal, refusal, type RefusalCode } from "@eve/registry-schema";

/** The dated parts of an entry, and what each calls the time it rests on. */
const DATED = [
  { part: "health", made: "observedAt" },
  { part: "evaluation", made: "observedAt" },
  { part: "review", made: "reviewedAt" },
] as const;

/**
 * Judges whether `after` may follow `before`, two assembled documents as raw JSON. A changed document has a higher
 * sequence, and an unchanged one not a lower: `registry.rollback`. An expiry that moved rests on a new observation or
 * review and on new evidence: `health.not_renewed`, `evaluation.not_renewed`, `review.not_renewed` (ADR-0092: merely
 * extending an expiry is not a review). An entry that is new or gone is judged by its own rungs. Never throws.
 */
export function judgeSuccession(before: JsonObject, after: JsonObject): readonly Refusal[] {
  const earlier = entriesOf(before);
  const renewals = [...entriesOf(after)].flatMap(([id, entry]) => {
    const old = earlier.get(id);
    return old === undefined ? [] : DATED.flatMap((dated) => renewal(id, dated, old, entry));
  });
  return [...sequenceOf(before, after), ...renewals];
}

function sequenceOf(before: JsonObject, after: JsonObject): readonly Refusal[] {
  const [old, now] = [before["sequence"], after["sequence"]];
  const isSame = isEqual({ ...before, sequence: null }, { ...after, sequence: null });
  const rises = typeof old === "number" && typeof now === "number" && now > old;
  if (rises || (isSame && old === now)) return [];
  return [
    refusal("registry.rollback", {
      subject: "sequence",
      expected: `a sequence higher than ${told(old)}, for the registry has changed`,
      actual: told(now),
    }),
  ];
}

type Dated = (typeof DATED)[number];

function renewal(
  integration: string,
  { part, made }: Dated,
  before: JsonObject,
  after: JsonObject,
): readonly Refusal[] {
  const [old, now] = [objectAt(before, part), objectAt(after, part)];
  if (isEqual(old["expiresAt"], now["expiresAt"])) return [];
  const stayed = [
    ...(isEqual(old[made], now[made]) ? [made] : []),
    ...(isEqual(evidenceOf(old), evidenceOf(now)) ? ["evidence.sha256"] : []),
  ];
  const code: RefusalCode = `${part}.not_renewed`;
  return stayed.map((member) =>
    refusal(code, {
      integration,
      subject: [part, member].join("."),
      expected: "changed, for the expiry moved",
      actual: "as before",
    }),
  );
}

function entriesOf(document: JsonObject): ReadonlyMap<string, JsonObject> {
  const { integrations } = document;
  const entries = Array.isArray(integrations) ? integrations : [];
  return new Map(
    entries.flatMap((entry) =>
      isJsonObject(entry) && typeof entry["id"] === "string" ? [[entry["id"], entry]] : [],
    ),
  );
}

function evidenceOf(part: JsonObject): JsonObject[string] | undefined {
  return objectAt(part, "evidence")["sha256"];
}

function told(sequence: JsonObject[string] | undefined): string {
  return typeof sequence === "number" ? String(sequence) : "no number";
}

function objectAt(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isJsonObject(value) ? value : {};
}

function isEqual(a: JsonObject[string] | undefined, b: JsonObject[string] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}
