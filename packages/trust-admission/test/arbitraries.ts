/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import type { JsonValue } from "@eve/canonical-json";
import fc from "fast-check";

/** Any JSON value that the strict parser lets through: no member `__proto__`. */
export const anyJson: fc.Arbitrary<JsonValue> = fc
  .jsonValue()
  .filter((value) => !JSON.stringify(value).includes("__proto__"))
  .map((value) => value as JsonValue);
