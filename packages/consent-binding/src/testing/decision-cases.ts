import type {
  ConsentCaller,
  ConsentDecision,
  ConsentOutcome,
  ConsentView,
} from "../consent-store.ts";
import {
  ask,
  askApproved,
  type Asked,
  type Cast,
  codeOf,
  granted,
  refusalIn,
  UNKNOWN,
} from "./cast.ts";
import type { CaseRow } from "./case-row.ts";
import { expectEqual } from "./contract-violation.ts";
import { otherLast } from "./other-last.ts";

/** What deciding promises. */
export const DECISION_CASES: readonly CaseRow[] = [
  {
    title: "records who approved, and moves nothing",
    run: async (cast) => {
      const { harness, tenant, operator } = cast;
      const asked = await ask(cast);
      const view = granted(await decide(cast, asked, operator));
      expectEqual("state", [view.state, view.decidedBy], ["approved", operator.principal]);
      expectEqual("item", (await harness.itemOf(tenant, asked.itemId)).state, "submitted");
    },
  },
  ...(["agent", "colleague"] as const).map((who): CaseRow => ({
    title: `lets ${who === "agent" ? "the agent that asked" : "another agent"} decide nothing: consent.approver_not_operator`,
    run: (cast) => stays(cast, cast[who], {}, "consent.approver_not_operator"),
  })),
  {
    title: "lets no shared bearer decide: consent.approver_not_operator",
    run: (cast) =>
      stays(cast, { ...cast.operator, class: "shared" }, {}, "consent.approver_not_operator"),
  },
  ...[
    (name: string): string => name,
    (name: string): string => name.toUpperCase(),
    (name: string): string => `${name}+1`,
  ].map((alias, index): CaseRow => ({
    title: `lets no principal decide their own request, spelling ${index + 1}: consent.self_approval`,
    run: (cast) => {
      const principal = alias(cast.agent.principal);
      return stays(cast, { ...cast.operator, principal }, {}, "consent.self_approval");
    },
  })),
  {
    title: "answers an operator of another tenant as if there were no consent: consent.not_found",
    run: async (cast) => {
      const { view } = await ask(cast);
      const decision = decisionOf(view, {});
      const foreign = await cast.store.decide(cast.foreignOperator, view.id, decision);
      const unknown = await cast.store.decide(cast.operator, UNKNOWN, decision);
      expectEqual("same answer", refusalIn(foreign), refusalIn(unknown));
      expectEqual("code", codeOf(foreign), "consent.not_found");
    },
  },
  {
    title: "wants the whole digest that was displayed: consent.digest_mismatch",
    run: async (cast) => {
      const asked = await ask(cast);
      const { digest } = asked.view;
      for (const wrong of [otherLast(digest), digest.slice(0, 8), digest.toUpperCase(), ""]) {
        // oxlint-disable-next-line no-await-in-loop -- each decision is one of a row
        const outcome = await decide(cast, asked, cast.operator, { digest: wrong });
        expectEqual("code", codeOf(outcome), "consent.digest_mismatch");
      }
      expectEqual("approvable", codeOf(await decide(cast, asked, cast.operator)), "ok");
    },
  },
  {
    title: "wants a reason",
    run: async (cast) => {
      const asked = await ask(cast);
      const outcome = await decide(cast, asked, cast.operator, { reason: " " });
      expectEqual("decided", outcome.ok, false);
      expectEqual(
        "state",
        granted(await cast.store.find(cast.agent, asked.view.id)).state,
        "pending",
      );
    },
  },
  {
    title: "keeps a declined request declined: consent.declined",
    run: async (cast) => {
      const asked = await ask(cast);
      granted(await decide(cast, asked, cast.operator, { decision: "decline" }));
      const outcome = await decide(cast, asked, cast.secondOperator);
      expectEqual("code", codeOf(outcome), "consent.declined");
    },
  },
  {
    title: "refuses a second decision about an approved request: consent.decided",
    run: async (cast) => {
      const asked = await askApproved(cast);
      const second = await decide(cast, asked, cast.secondOperator, { decision: "decline" });
      expectEqual("code", codeOf(second), "consent.decided");
      const view = granted(await cast.store.find(cast.agent, asked.view.id));
      expectEqual("approver", [view.state, view.decidedBy], ["approved", cast.operator.principal]);
    },
  },
  {
    title: "approves nothing whose item changed: consent.item_changed, then consent.voided",
    run: async (cast) => {
      const asked = await ask(cast);
      await cast.harness.touchItem(cast.tenant, asked.itemId);
      for (const code of ["consent.item_changed", "consent.voided"])
        // oxlint-disable-next-line no-await-in-loop -- the second must find what the first left
        expectEqual("code", codeOf(await decide(cast, asked, cast.operator)), code);
    },
  },
  {
    title: "counts one of twenty decisions that race",
    run: async (cast) => {
      const asked = await ask(cast);
      const racers = Array.from({ length: 20 }, (_, at) =>
        decide(cast, asked, at % 2 === 0 ? cast.operator : cast.secondOperator, {
          decision: at % 3 === 0 ? "decline" : "approve",
        }),
      );
      const counted = (await Promise.all(racers)).filter(({ ok }) => ok);
      expectEqual("decisions that count", counted.length, 1);
    },
  },
  {
    title: "refuses a decision once the request has expired: consent.expired",
    needs: "lapse",
    run: async (cast) => {
      const asked = await ask(cast);
      await cast.harness.lapse?.(asked.view.id);
      expectEqual("code", codeOf(await decide(cast, asked, cast.operator)), "consent.expired");
      expectEqual(
        "state",
        granted(await cast.store.find(cast.agent, asked.view.id)).state,
        "expired",
      );
    },
  },
  ...(["binding", "digest"] as const).map((what): CaseRow => ({
    title: `refuses to show or decide a consent whose ${what} was altered: consent.integrity`,
    needs: "tamper",
    run: async (cast) => {
      const asked = await ask(cast);
      await cast.harness.tamper?.(asked.view.id, what);
      const shown = await cast.store.find(cast.operator, asked.view.id);
      expectEqual("shown", codeOf(shown), "consent.integrity");
      expectEqual("code", codeOf(await decide(cast, asked, cast.operator)), "consent.integrity");
    },
  })),
];

async function stays(
  cast: Cast,
  caller: ConsentCaller,
  changes: Partial<ConsentDecision>,
  code: string,
): Promise<void> {
  const asked = await ask(cast);
  for (const decision of ["approve", "decline"] as const) {
    // oxlint-disable-next-line no-await-in-loop -- the second must find what the first left
    const outcome = await decide(cast, asked, caller, { ...changes, decision });
    expectEqual("code", codeOf(outcome), code);
  }
  expectEqual("state", granted(await cast.store.find(cast.agent, asked.view.id)).state, "pending");
}

function decide(
  { store }: Cast,
  { view }: Asked,
  caller: ConsentCaller,
  changes: Partial<ConsentDecision> = {},
): Promise<ConsentOutcome<ConsentView>> {
  return store.decide(caller, view.id, decisionOf(view, changes));
}

function decisionOf({ digest }: ConsentView, changes: Partial<ConsentDecision>): ConsentDecision {
  return { decision: "approve", digest, reason: "reviewed", ...changes };
}
