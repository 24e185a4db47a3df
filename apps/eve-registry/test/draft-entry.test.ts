import { afterEach, describe, expect, test } from "vitest";
import { sha256 } from "@eve/canonical-json";
import { assembleDocument, parseManifest, parseRegistry } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import { bytesOf, DAY_MS, NOW, valueAt } from "@eve/test-kit";
import { ownManifest } from "../src/draft-entry.ts";
import { objectsOf } from "../src/json-values.ts";
import { draft, installPackage } from "./packages.ts";
import { removeFolders } from "./scratch.ts";

afterEach(removeFolders);

const manifest = ownManifest(NOW, {
  path: "evidence/gates/note.json",
  bytes: new Uint8Array(),
  sha256: sha256(""),
});

describe("a draft", () => {
  test("parses as the one entry of a registry of one's own, and nothing stands against it for 30 days", async () => {
    const drafted = await draft(installPackage());
    expect(drafted).toMatchObject({ ok: true });
    if (!drafted.ok) return;
    const parsed = parseRegistry(bytesOf(assembleDocument(manifest, [drafted.entry])));
    expect(parsed).toMatchObject({ ok: true });
    if (!parsed.ok) return;
    expect(judgeGovernance(parsed.registry, "other-notes", NOW)).toEqual([]);
    expect(judgeGovernance(parsed.registry, "other-notes", NOW + 30 * DAY_MS)).toMatchObject([
      { code: "health.expired" },
    ]);
  });

  test("says that it was generated here and is no review, and takes every tool for destructive", async () => {
    const drafted = await draft(installPackage());
    if (!drafted.ok) throw new Error("refused");
    expect(drafted.entry).toMatchObject({
      deployment: "local-development",
      riskClass: "destructive",
      permissions: ["other-notes:call"],
      review: { basis: "generated", reviewer: "local-generator" },
    });
    const classes = objectsOf(drafted.entry["tools"]).map((tool) => tool["riskClass"]);
    expect(new Set(classes)).toEqual(new Set(["destructive"]));
    expect(valueAt(drafted.entry, ["source"])).toMatchObject({
      package: "@notes/server",
      version: "2.1.0",
      integrity: `sha512-${"A".repeat(86)}==`,
    });
  });
});

test("a manifest of one's own parses with its gates met", () => {
  expect(parseManifest(manifest)).toMatchObject({ ok: true });
  expect(valueAt(manifest, ["dependencyGates"])).toHaveLength(4);
});
