import type { JsonObject } from "@eve/canonical-json";
import { assembleDocument, parseRegistry, reviewSubject } from "@eve/registry-schema";
import { judgeEvidence, judgeGovernance } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { objectAt, objectsAt, textAt } from "../src/json-members.ts";
import { WORKBENCH } from "../src/local-workbench.ts";
import { withGeneratedEvidence } from "../src/local-entry.ts";
import { committed, LOCAL_ORIGIN, localSample, measured, NOW } from "./samples.ts";

const { entry, files } = localSample();

function classesOf(from: JsonObject): unknown {
  return objectsAt(from, "destinations").flatMap((one) => one["dataClasses"]);
}

function readEvidence(path: string): Uint8Array | undefined {
  return files.find((file) => file.path === path)?.bytes;
}

function parsed(): Extract<ReturnType<typeof parseRegistry>, { ok: true }>["registry"] {
  const result = parseRegistry(
    Buffer.from(JSON.stringify(assembleDocument(committed().manifest, [entry]))),
  );
  if (!result.ok) throw new Error(result.refusals[0].code);
  return result.registry;
}

describe("the local entry", () => {
  it("parses as a complete entry for local development, loopback only", () => {
    const record = parsed().integrations.get(WORKBENCH);
    expect(record?.status).toBe("complete");
    expect(entry).toMatchObject({
      deployment: "local-development",
      destinations: [{ origin: LOCAL_ORIGIN }],
      credentials: [{ destinations: [LOCAL_ORIGIN] }],
    });
  });

  it("keeps the data classes, tools, pins and scopes of the committed one", () => {
    const { raw } = committed();
    expect(classesOf(entry)).toEqual(classesOf(raw));
    for (const field of ["tools", "surface", "permissions", "source", "transport"])
      expect(entry[field]).toEqual(raw[field]);
  });

  it("stands now by governance, and no longer once its health expires: health.expired", () => {
    expect(judgeGovernance(parsed(), WORKBENCH, NOW)).toEqual([]);
    const expiresAt = Date.parse(textAt(objectAt(entry, "health"), "expiresAt"));
    expect(judgeGovernance(parsed(), WORKBENCH, expiresAt).map(({ code }) => code)).toEqual([
      "health.expired",
    ]);
  });

  it("rests on a generated review of exactly this entry, and its evidence supports it", () => {
    expect(entry["review"]).toMatchObject({ basis: "generated", subject: reviewSubject(entry) });
    const record = parsed().integrations.get(WORKBENCH);
    if (record?.status !== "complete") throw new Error("not complete");
    expect(judgeEvidence(record.entry, record.raw, readEvidence)).toEqual([]);
  });

  it("says in every report that it is no review", () => {
    const reports = files.filter(({ path }) => path.endsWith("report.json"));
    expect(reports).toHaveLength(3);
    for (const { bytes } of reports)
      expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({
        reason: expect.stringMatching(/no review/),
      });
  });

  it("is not healthy where a surface without tools was measured: health.unhealthy", () => {
    const empty = measured("2026-07-28");
    const run = {
      integration: WORKBENCH,
      now: NOW,
      command: ["npm", "start"],
      tools: {},
      reason: "test",
    };
    const sick = withGeneratedEvidence(run, entry, [
      measured("2025-11-25"),
      { ...empty, surface: { ...empty.surface, tools: [] } },
    ]);
    expect(sick.entry).toMatchObject({
      health: { status: "unhealthy" },
      evaluation: { status: "failed" },
    });
  });
});
