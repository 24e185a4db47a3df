import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOGUE, isRefusalCode } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";
import { CALL_SHEET } from "./call-sheet.ts";
import { EVIDENCE_SHEET } from "./evidence-sheet.ts";
import { SHEET } from "./sheet.ts";

const SRC = join(import.meta.dirname, "..", "src");
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map(
    (name) =>
      [
        name,
        readFileSync(join(SRC, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ""),
      ] as const,
  );
const all = sources.map(([, text]) => text).join("\n");

const PARTS = ["health", "evaluation", "review"];
const literals = [...all.matchAll(/"([a-z]+\.[a-z_]+)"/g)].map((match) => match[1] ?? "");
const causes = [...all.matchAll(/code\("([a-z_]+)"\)/g)].map((match) => match[1] ?? "");
const templates = [...all.matchAll(/`\$\{[a-z.]+\}\.(\$\{[a-z]+\}|[a-z_]+)`/g)].map(
  (match) => match[1] ?? "",
);
const written = new Set([
  ...literals.filter(isRefusalCode),
  ...[...causes, ...templates.filter((text) => !text.startsWith("$"))].flatMap((cause) =>
    PARTS.map((part) => `${part}.${cause}`),
  ),
]);

/** Answered by judgeGateEvidence alone: gate-evidence.test.ts. */
const GATE_EVIDENCE = ["gates.evidence_mismatch"];
/** Answered by judgeSuccession alone: succession.test.ts. */
const SUCCESSION = [...PARTS.map((part) => `${part}.not_renewed`), "registry.rollback"];
/** Answered by judgeResult alone: judge-result.test.ts. */
const RESULTS = ["call.result_invalid"];
const inSheets = new Set<string>([
  ...SHEET.map(({ code }) => code),
  ...CALL_SHEET.map(({ code }) => code),
  ...EVIDENCE_SHEET.map(({ part }) => `${part}.evidence_mismatch`),
  ...GATE_EVIDENCE,
  ...SUCCESSION,
  ...RESULTS,
]);

/** Codes of a faulty entry, which the registry's parser answers and admission passes on. */
const PASSED_ON = ["registry.field_missing"];

describe("the sheets", () => {
  it("look at the source of the package", () => {
    expect(sources.length).toBeGreaterThan(12);
    expect(written.size).toBeGreaterThan(40);
    expect(causes).toHaveLength(3);
    expect(templates.toSorted()).toEqual(["${cause}", "evidence_mismatch", "not_renewed"]);
  });

  it("hold every code that the source can answer", () => {
    expect([...written].filter((code) => !inSheets.has(code))).toEqual([]);
  });

  it("hold no code that the source cannot answer", () => {
    expect([...inSheets].filter((code) => !written.has(code) && !PASSED_ON.includes(code))).toEqual(
      [],
    );
  });

  it("give each row a title of its own and a reason", () => {
    const titles = [
      ...SHEET.map(({ title }) => title),
      ...CALL_SHEET.map(({ title }) => title),
      ...EVIDENCE_SHEET.map(({ part, title }) => `${part}: ${title}`),
    ];
    expect(new Set(titles).size).toBe(titles.length);
    for (const { reason } of [...SHEET, ...CALL_SHEET, ...EVIDENCE_SHEET])
      expect(reason.length).toBeGreaterThan(10);
  });

  it("name codes of the catalogue", () => {
    expect([...inSheets].filter((code) => !Object.hasOwn(CATALOGUE, code))).toEqual([]);
  });
});
