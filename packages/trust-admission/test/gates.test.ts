import { formatInstant, parseRegistry } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import { bytesOf, goodDocument, NOW, thirdPartyEntry, withValue } from "@eve/test-kit";
import { describe, expect, it } from "vitest";

function codesWithGateMetAt(ms: number): readonly string[] {
  const { value } = goodDocument({ entries: [thirdPartyEntry({ now: NOW })], gates: "met" });
  const dated = withValue(value, ["dependencyGates", 2, "metAt"], formatInstant(ms));
  const parsed = parseRegistry(bytesOf(dated));
  if (!parsed.ok) throw new TypeError(parsed.refusals[0].code);
  return judgeGovernance(parsed.registry, "other-notes", NOW).map(({ code }) => code);
}

describe("a gate that says it was met", () => {
  it.each([
    [-1, []],
    [0, []],
    [1, ["gates.unmet"]],
  ] as const)("%i ms from now (ADR-0092-234): %j", (offset, codes) => {
    expect(codesWithGateMetAt(NOW + offset)).toEqual(codes);
  });
});
