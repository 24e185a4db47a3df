import { sha256 } from "@eve/canonical-json";
import { parseRegistry } from "@eve/registry-schema";
import { bytesOf, goodDocument, goodEntry, NOW, withValue } from "@eve/test-kit";
import { judgeGateEvidence } from "@eve/trust-admission";
import { expect, it } from "vitest";

const REPORT = new TextEncoder().encode("released");
const met = [0, 1, 2, 3].reduce(
  (document, i) =>
    withValue(document, ["dependencyGates", i, "evidence", "sha256"], sha256(REPORT)),
  goodDocument({ entries: [goodEntry({ now: NOW })], gates: "met" }).value,
);
const gatesOf = (document: typeof met): Parameters<typeof judgeGateEvidence>[0] => {
  const result = parseRegistry(bytesOf(document));
  if (!result.ok) throw new TypeError(result.refusals[0].code);
  return result.registry.dependencyGates;
};

it("supports gates whose evidence is there with its digest, and asks nothing of unmet ones", () => {
  expect(judgeGateEvidence(gatesOf(met), () => REPORT)).toEqual([]);
  expect(
    judgeGateEvidence(
      gatesOf(goodDocument({ entries: [goodEntry({ now: NOW })] }).value),
      () => undefined,
    ),
  ).toEqual([]);
});

it.each([
  ["no file", undefined],
  ["other bytes", new TextEncoder().encode("released\n")],
])("does not support met gates with %s: gates.evidence_mismatch", (_title, bytes) => {
  const refusals = judgeGateEvidence(gatesOf(met), () => bytes);
  expect(refusals.map(({ code }) => code)).toEqual(
    Array.from({ length: 4 }, () => "gates.evidence_mismatch"),
  );
});
