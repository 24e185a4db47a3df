import { canonicalJson, type JsonValue } from "@eve/canonical-json";

/** A store does not do what ConsentStore promises. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation";
  readonly code = "contract.violated";
}

/** Throws {@link ContractViolation} unless the two values have one canonical form. */
export function expectEqual(subject: string, actual: JsonValue, expected: JsonValue): void {
  const [was, should] = [canonicalJson(actual), canonicalJson(expected)];
  if (was !== should) throw new ContractViolation(`${subject}: expected ${should}, was ${was}`);
}
