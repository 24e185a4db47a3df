import {
  APPROVAL_LIFE_MS,
  judgeExecution,
  judgeIntegrity,
  type StoredConsent,
} from "@eve/consent-binding";
import { canonicalJson, parseJson } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";
import {
  EXECUTION_SHEET,
  type ExecutionCase,
  type ExecutionRow,
  goodExecution,
} from "./execution-sheet.ts";
import {
  APPROVED_AT,
  approvedConsent,
  GOOD_BINDING,
  goodCall,
  KEY,
  pendingConsent,
  REQUEST_END,
  utf8,
} from "./kit.ts";

const judge = ({ consent, call, now }: ExecutionCase): readonly { readonly code: RefusalCode }[] =>
  judgeExecution(consent, call, now, KEY);
const codes = (on: ExecutionCase): readonly RefusalCode[] => judge(on).map(({ code }) => code);

describe("an execution", () => {
  it("is the actor's, of exactly what was approved, in time", () => {
    expect(codes(goodExecution())).toEqual([]);
  });

  it.each(EXECUTION_SHEET.map((row) => [row.title, row.code, row] as const))(
    "is refused for %s: %s",
    (_title, code, { change }) => {
      expect(codes(change(goodExecution()))).toEqual([code]);
    },
  );

  it("answers the first of many causes, in this order", () => {
    const piledUp = [
      "another entry",
      "another tool",
      "an approval at its end",
      "an approval that was voided",
      "a binding of which one bit was changed",
      "another actor",
    ].map((title) => rowOf(title));
    let on = goodExecution();
    for (const { change, code } of piledUp) {
      on = change(on);
      expect(codes(on)).toEqual([code]);
    }
    expect(new Set(piledUp.map(({ code }) => code)).size).toBe(6);
  });

  it("names every difference of the call at once: consent.arguments_mismatch", () => {
    const on = goodExecution();
    const call = { ...on.call, tool: "other", argumentsCanonical: utf8("{}") };
    expect(judge({ ...on, call })).toMatchObject([{ subject: "tool" }, { subject: "arguments" }]);
  });

  it.each([
    [-1, []],
    [0, ["consent.expired"]],
    [1, ["consent.expired"]],
  ])("of an approval that expires is asked %i ms after its end: %j", (ms, expected) => {
    expect(codes({ ...goodExecution(), now: APPROVED_AT + APPROVAL_LIFE_MS + ms })).toEqual(
      expected,
    );
  });

  it.each([
    [-1, ["consent.pending"]],
    [0, ["consent.expired"]],
    [1, ["consent.expired"]],
  ])("of a request that expires is asked %i ms after its end: %j", (ms, expected) => {
    const on = { ...goodExecution(), consent: pendingConsent(), now: REQUEST_END + ms };
    expect(codes(on)).toEqual(expected);
  });

  it("may come after the request's own end, while its approval lives", () => {
    expect(codes({ ...goodExecution(), now: REQUEST_END })).toEqual([]);
  });

  it.each([NaN, Infinity])("is refused by a clock of %d: consent.expired", (now) => {
    expect(codes({ ...goodExecution(), now })).toEqual(["consent.expired"]);
  });

  it("tells whoever is not its actor what it tells about nothing: consent.not_found", () => {
    const call = goodCall({ actor: "packer" });
    const ask = (consent: StoredConsent | undefined): unknown =>
      judge({ ...goodExecution(), call, consent });
    for (const state of ["pending", "approved", "consumed", "voided"] as const) {
      expect(ask(approvedConsent({ state }))).toEqual(ask(undefined));
    }
    expect(ask(approvedConsent({ digest: "0" }))).toEqual(ask(undefined));
  });

  it("takes one number in two spellings for one: 1 and 1.0", () => {
    const consent = approvedConsent({}, { ...GOOD_BINDING, arguments: { n: 1 } });
    const parsed = parseJson(utf8('{"n":1.0}'));
    const argumentsCanonical = utf8(parsed.ok ? canonicalJson(parsed.value) : "");
    expect(codes({ ...goodExecution(), consent, call: goodCall({ argumentsCanonical }) })).toEqual(
      [],
    );
  });

  it("tells one text in two Unicode forms apart: consent.arguments_mismatch", () => {
    const consent = approvedConsent({}, { ...GOOD_BINDING, arguments: { channel: "caf\u00e9" } });
    const call = goodCall({ argumentsCanonical: utf8(canonicalJson({ channel: "cafe\u0301" })) });
    const codesOf = codes({ ...goodExecution(), consent, call });
    expect(codesOf).toEqual(["consent.arguments_mismatch"]);
  });

  it("refuses pins that JSON cannot carry: internal.error", () => {
    const on = goodExecution();
    const call = { ...on.call, toolPins: { description: "\ud800" } };
    expect(codes({ ...on, call })).toEqual(["internal.error"]);
  });

  it("refuses under a key that is too short to prove anything: internal.error", () => {
    const { consent, call, now } = goodExecution();
    const refusals = judgeExecution(consent, call, now, new Uint8Array(16));
    expect(refusals.map(({ code }) => code)).toEqual(["internal.error"]);
  });
});

describe("the integrity of a stored consent", () => {
  it.each([
    ["a request", pendingConsent()],
    ["an approval", approvedConsent()],
    ["an executed approval", approvedConsent({ state: "consumed" })],
    ["an expired approval", approvedConsent({ state: "expired" })],
    ["a declined request", pendingConsent({ state: "declined" })],
  ])("is there in %s", (_title, consent) => {
    expect(judgeIntegrity(consent, KEY)).toEqual([]);
  });

  it("is judged as it is in an execution: consent.integrity", () => {
    const rows = EXECUTION_SHEET.filter(({ code }) => code === "consent.integrity");
    expect(rows.length).toBeGreaterThan(5);
    for (const { change } of rows) {
      const { consent } = change(goodExecution());
      const [refused] = consent ? judgeIntegrity(consent, KEY) : [];
      expect(refused?.code).toBe("consent.integrity");
    }
  });
});

function rowOf(title: string): ExecutionRow {
  const row = EXECUTION_SHEET.find((candidate) => candidate.title === title);
  if (!row) throw new TypeError(`no row ${title}`);
  return row;
}
