import { parseEntry, type Refusal } from "@eve/registry-schema";
import { goodEntry, NOW, renewed, thirdPartyEntry, withValue, textIn } from "@eve/test-kit";
import { judgeEvidence } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { EVIDENCE_SHEET, type EvidenceCase, goodEvidenceCase } from "./evidence-sheet.ts";

function judge({ entry, files }: EvidenceCase): readonly Refusal[] {
  const parsed = parseEntry(entry, textIn(entry["id"]));
  if (!parsed.ok) throw new TypeError(`${parsed.refusals[0].code} ${parsed.refusals[0].subject}`);
  return judgeEvidence(parsed.entry, entry, (path) => files.get(path));
}

describe("evidence", () => {
  it.each([
    ["first-party", goodEntry({ now: NOW })],
    ["third-party", thirdPartyEntry({ now: NOW })],
  ])("supports a good %s entry", (_origin, entry) => {
    expect(judge(goodEvidenceCase(entry))).toEqual([]);
  });

  it.each(
    EVIDENCE_SHEET.map(
      (row) =>
        [
          `does not support the entry with ${row.title}: ${row.part}.evidence_mismatch`,
          row,
        ] as const,
    ),
  )("%s", (_title, { part, change, reason }) => {
    const refusals = judge(change(goodEvidenceCase()));
    const codes = [...new Set(refusals.map(({ code }) => code))];
    expect({ codes, reason }).toEqual({ codes: [`${part}.evidence_mismatch`], reason });
  });

  it("of a review does not go stale with a change of source alone", () => {
    const entry = goodEntry({ now: NOW });
    const rebuilt = renewed(withValue(entry, ["source", "sha256"], "e".repeat(64)));
    const { files } = goodEvidenceCase(entry);
    const path = "evidence/notes/review/report.json";
    const review = [path, files.get(path) ?? new Uint8Array()] as const;
    const kept = {
      entry: withValue(rebuilt, ["review"], entry["review"]),
      files: new Map([...goodEvidenceCase(rebuilt).files, review]),
    };
    expect(judge(kept)).toEqual([]);
  });

  it("names the file and the contradiction", () => {
    const row = EVIDENCE_SHEET.find(({ title }) => title === "a report by another reviewer");
    const [refusal] = row ? judge(row.change(goodEvidenceCase())) : [];
    expect(refusal).toMatchObject({
      integration: "notes",
      subject: "evidence/notes/review/report.json: reviewer",
      expected: "eve-security",
      actual: "notes-team",
    });
  });
});
