import { type Approver, judgeDecision, type StoredConsent } from "@eve/consent-binding";
import type { RefusalCode } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";
import {
  DECISION_SHEET,
  type DecisionCase,
  type DecisionRow,
  goodDecision,
} from "./decision-sheet.ts";
import { KEY, pendingConsent, REQUEST_END } from "./kit.ts";

const codes = ({ consent, approver, displayedDigest, now }: DecisionCase): readonly RefusalCode[] =>
  judgeDecision(consent, approver, displayedDigest, now, KEY).map(({ code }) => code);

describe("a decision", () => {
  it("is an operator's, about what was displayed, in time", () => {
    expect(codes(goodDecision())).toEqual([]);
  });

  it.each(DECISION_SHEET.map((row) => [row.title, row.code, row] as const))(
    "is refused about %s: %s",
    (_title, code, { change }) => {
      expect(codes(change(goodDecision()))).toEqual([code]);
    },
  );

  it("answers the first of many causes, in this order", () => {
    const piledUp = [
      "no digest",
      "a request at its end",
      "a request that is declined",
      "a binding of which one bit was changed",
      'the request of "ann"',
      "a consent of another tenant",
      "an agent's credential",
    ].map((title) => rowOf(title));
    let on = goodDecision();
    for (const { change, code } of piledUp) {
      on = change(on);
      expect(codes(on)).toEqual([code]);
    }
    expect(new Set(piledUp.map(({ code }) => code)).size).toBe(7);
  });

  it.each([
    [-1, []],
    [0, ["consent.expired"]],
    [1, ["consent.expired"]],
  ])("about a request that expires is asked %i ms after its end: %j", (ms, expected) => {
    expect(codes({ ...goodDecision(), now: REQUEST_END + ms })).toEqual(expected);
  });

  it.each([NaN, Infinity])("is refused by a clock of %d: consent.expired", (now) => {
    expect(codes({ ...goodDecision(), now })).toEqual(["consent.expired"]);
  });

  it("tells a stranger of another tenant what it tells about nothing: consent.not_found", () => {
    const stranger: Approver = { class: "operator", principal: "oona", tenant: "globex" };
    const ask = (consent: StoredConsent | undefined): unknown =>
      judgeDecision(consent, stranger, pendingConsent().digest, REQUEST_END - 1, KEY);
    expect(ask(pendingConsent())).toEqual(ask(undefined));
    expect(ask(pendingConsent({ state: "declined" }))).toEqual(ask(undefined));
    expect(ask(pendingConsent({ digest: "0" }))).toEqual(ask(undefined));
  });

  it("tells an agent the same about every consent: consent.approver_not_operator", () => {
    const agent: Approver = { class: "agent", principal: "ann", tenant: "acme" };
    const ask = (consent: StoredConsent | undefined): unknown =>
      judgeDecision(consent, agent, "", REQUEST_END, KEY);
    expect(ask(pendingConsent())).toEqual(ask(undefined));
  });

  it("refuses where a check fails to run: internal.error", () => {
    const broken = {
      ...pendingConsent(),
      get principal(): string {
        throw new Error("secret");
      },
    };
    const refusals = judgeDecision(broken, goodDecision().approver, "", REQUEST_END, KEY);
    expect(refusals.map(({ code }) => code)).toEqual(["internal.error"]);
    expect(JSON.stringify(refusals)).not.toContain("secret");
  });
});

function rowOf(title: string): DecisionRow {
  const row = DECISION_SHEET.find((candidate) => candidate.title === title);
  if (!row) throw new TypeError(`no row ${title}`);
  return row;
}
