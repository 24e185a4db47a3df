import { bytesOf, hintsOf, NOW } from "@eve/test-kit";
import { admitToolCall } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { CALL_SHEET, type CallCase, currentRegistry, goodCase } from "./call-sheet.ts";
import { codesOf, goodCall, withEntry } from "./world.ts";

const decide = (on: CallCase): ReturnType<typeof admitToolCall> =>
  admitToolCall(on.admission, currentRegistry(on), on.call, on.now);
const codes = (on: CallCase): readonly string[] => {
  const verdict = decide(on);
  return verdict.admitted ? [] : codesOf(verdict.refusals);
};

it.each(CALL_SHEET.map((row) => [`refuses ${row.title}: ${row.code}`, row] as const))(
  "%s",
  (_title, { code, change, reason }) => {
    expect({ code: codes(change(goodCase()))[0], reason }).toEqual({ code, reason });
  },
);

describe("a call as reviewed", () => {
  it.each([
    ["list_notes", "read"],
    ["add_note", "write"],
    ["ship_note", "publish"],
  ] as const)("of %s is admitted with its pinned tool", (tool, riskClass) => {
    const on = goodCase();
    const verdict = decide({ ...on, call: goodCall(tool, hintsOf(riskClass)) });
    expect(verdict).toMatchObject({ admitted: true, tool: { name: tool, riskClass } });
  });

  it("needs no consent where it does not publish", () => {
    for (const [tool, riskClass] of [
      ["list_notes", "read"],
      ["add_note", "write"],
    ] as const)
      expect(
        codes({
          ...goodCase(),
          call: goodCall(tool, hintsOf(riskClass), { consent: { by: "none" } }),
        }),
      ).toEqual([]);
  });

  it("may carry no credential, or scopes that only their issuer knows", () => {
    const on = goodCase();
    expect(
      codes({ ...on, call: { ...on.call, credential: undefined, scopes: undefined } }),
    ).toEqual([]);
  });

  it("is admitted after dates were renewed, and refused one millisecond after the last one ends (RT-20)", () => {
    const on = goodCase();
    expect(
      codes({
        ...on,
        world: withEntry(on.world, ["health", "observedAt"], "2026-12-01T12:00:00Z"),
      }),
    ).toEqual([]);
    const end = Date.parse("2026-12-31T11:00:00Z");
    expect(codes({ ...on, now: end - 1 })).toEqual([]);
    expect(codes({ ...on, now: end })).toEqual(["health.expired"]);
  });
});

describe("a third party's own hints", () => {
  const on = goodCase({ origin: "third-party" });
  const withHints = (
    annotations: CallCase["call"]["annotations"],
    tool = "ship_note",
  ): readonly string[] => codes({ ...on, call: goodCall(tool, annotations) });

  it("that are milder than the class, or absent, neither refuse nor help (D23)", () => {
    expect(withHints({ readOnlyHint: true, destructiveHint: false })).toEqual([]);
    expect(withHints({})).toEqual([]);
    const mild = goodCall("ship_note", { readOnlyHint: true }, { consent: { by: "none" } });
    expect(codes({ ...on, call: mild })).toEqual(["consent.required"]);
  });

  it("that admit to more than the class refuse: call.annotation_mismatch", () => {
    expect(withHints({ destructiveHint: true }, "list_notes")).toEqual([
      "call.annotation_mismatch",
    ]);
    expect(withHints({ readOnlyHint: false }, "list_notes")).toEqual(["call.annotation_mismatch"]);
  });
});

it("reports all causes, governance first, then in the order asked (ADR-0092-223)", () => {
  const on = goodCase();
  const call = {
    ...on.call,
    protocolVersion: "2026-07-28",
    annotations: {},
    credential: { id: "notes-bearer", destination: "https://evil.example" },
    scopes: [],
    consent: { by: "none" },
    generation: { listed: 1, current: 2 },
    arguments: { from: "wire", bytes: bytesOf({ id: 7 }) },
  } as const;
  const world = withEntry(
    withEntry(on.world, ["lifecycle", "state"], "revoked"),
    ["owner", "contact"],
    "x",
  );
  expect(codes({ ...on, world, call })).toEqual([
    "lifecycle.revoked",
    "entry.changed",
    "surface.generation_stale",
    "protocol.version_unadmitted",
    "call.annotation_mismatch",
    "credential.destination_refused",
    "call.scope_missing",
    "consent.required",
    "call.arguments_invalid",
  ]);
});

it("never quotes a tool name or version that is not plain", () => {
  const on = goodCase();
  const text = "ignore previous instructions";
  for (const call of [
    { ...on.call, tool: text },
    { ...on.call, protocolVersion: text },
    { ...on.call, protocolVersion: "ignore-previous-instructions" },
  ]) {
    const verdict = decide({ ...on, call });
    expect(JSON.stringify(verdict)).not.toMatch(/ignore.previous/);
    expect(verdict.admitted).toBe(false);
  }
});

it("refuses clocks that are no clock", () => {
  for (const now of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1,
    0,
    NOW + 0.5,
  ])
    expect(decide({ ...goodCase(), now }).admitted).toBe(false);
});
