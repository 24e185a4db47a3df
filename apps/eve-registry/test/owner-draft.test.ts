import { describe, expect, test } from "vitest";
import { parseEntry } from "@eve/registry-schema";
import { goodEntry, NOW, withValue } from "@eve/test-kit";
import { completeDraft } from "../src/owner-draft.ts";
import { objectOf, objectsOf } from "../src/json-values.ts";

/** The kit's good entry less everything that a measurement or a review gives. */
function ownersPart(): ReturnType<typeof goodEntry> {
  const { surface: _s, health: _h, evaluation: _e, review: _r, ...rest } = goodEntry({ now: NOW });
  const { sha256: _d, version: _v, ...source } = objectOf(rest["source"]);
  const artifacts = objectsOf(source["artifacts"]).map(({ path = "" }) => ({ path }));
  const tools = objectsOf(rest["tools"]).map((tool) => withValue(tool, ["pins"], undefined));
  return { ...rest, source: { ...source, artifacts }, tools };
}

describe("a draft of an entry", () => {
  test("is completed so that it parses, unknown, pending and long expired", () => {
    const parsed = parseEntry(completeDraft(ownersPart()), "notes");
    expect(parsed).toMatchObject({
      ok: true,
      entry: {
        health: { status: "unknown", expiresAt: "1970-01-01T00:00:00.001Z" },
        evaluation: { status: "pending", expiresAt: "1970-01-01T00:00:00.001Z" },
        review: { expiresAt: "1970-01-01T00:00:00.001Z" },
      },
    });
  });

  test("keeps everything that is there", () => {
    const entry = goodEntry({ now: NOW });
    expect(completeDraft(entry)).toEqual(entry);
  });

  test("gets no field that only its owner can decide: registry.field_missing", () => {
    for (const field of ["owner", "permissions", "credentials", "destinations", "lifecycle"]) {
      const parsed = parseEntry(
        completeDraft(withValue(ownersPart(), [field], undefined)),
        "notes",
      );
      expect(parsed.ok ? [] : parsed.refusals.map(({ code }) => code)).toContain(
        "registry.field_missing",
      );
    }
  });
});
