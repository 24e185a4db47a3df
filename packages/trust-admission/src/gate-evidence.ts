import { sha256 } from "@eve/canonical-json";
import { type DependencyGate, refusal, type Refusal } from "@eve/registry-schema";

/** Judges that each met gate's evidence is there with its digest. Answers `gates.evidence_mismatch`. */
export function judgeGateEvidence(
  gates: readonly DependencyGate[],
  read: (path: string) => Uint8Array | undefined,
): readonly Refusal[] {
  return gates.flatMap((gate) => {
    if (gate.status === "unmet") return [];
    const bytes = read(gate.evidence.path);
    const actual = bytes ? sha256(bytes) : "no readable file";
    return actual === gate.evidence.sha256
      ? []
      : [
          refusal("gates.evidence_mismatch", {
            subject: `dependencyGates ${gate.task}: ${gate.evidence.path}`,
            expected: gate.evidence.sha256,
            actual,
          }),
        ];
  });
}
