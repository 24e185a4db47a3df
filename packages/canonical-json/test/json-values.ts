import fc from "fast-check";
import type { JsonValue } from "../src/index.ts";

const name = fc.string({ unit: "binary", maxLength: 8 }).filter((text) => text !== "__proto__");

/** Integers of ECMAScript's shortest spelling that is not their exact value, such as 2^68. */
function isSpelledInexactly(value: number): boolean {
  return /^-?\d+$/.test(String(value)) && BigInt(String(value)) !== BigInt(value);
}

const number = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom(2 ** 53, 1e20, 5e-324, Number.MAX_VALUE),
  )
  .filter((value) => !isSpelledInexactly(value))
  .map((value) => (value === 0 ? 0 : value));

/** Any value that the parser gives back as it was; zero is never negative, as RFC 8785 writes both alike. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    number,
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(name, tie("value"), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value;

/** The same value with the members of each object in reverse order. */
export function withMembersReversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withMembersReversed(item));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([key, item]) => [key, withMembersReversed(item)]));
}
