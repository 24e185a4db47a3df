import { type JsonObject, sha256 } from "@eve/canonical-json";
import type { ConsentCaller, ConsentOutcome, PublishingCall } from "../consent-store.ts";
import { type ConsumedApproval, isConsumedApproval } from "../consumed-approval.ts";
import {
  ask,
  askApproved,
  type Asked,
  type Cast,
  codeOf,
  granted,
  refusalIn,
  shipment,
  UNKNOWN,
} from "./cast.ts";
import type { CaseRow } from "./case-row.ts";
import { expectEqual } from "./contract-violation.ts";

type Change = Partial<PublishingCall>;

const withArguments =
  (changes: JsonObject) =>
  (call: PublishingCall): Change => ({ arguments: { ...call.arguments, ...changes } });

/** Another call than the one that was approved. */
const MISMATCHES: readonly (readonly [string, (call: PublishingCall) => Change])[] = [
  ["one other byte", withArguments({ channel: "beto" })],
  ["one more argument", withArguments({ force: true })],
  ["another item", withArguments({ itemId: "another" })],
  ["no arguments", () => ({ arguments: {} })],
  ["another tool", () => ({ tool: "workbench_verify_item" })],
  ["another integration", () => ({ integration: "oshun-workbench-2" })],
];

/** The approved call, of a tool that is no longer what was approved. */
const SURFACES: readonly (readonly [string, Change])[] = [
  ["the tool's pins changed", { toolPins: { inputSchema: "another" } }],
  ["the entry changed", { entryDigest: sha256("another") }],
];

/** What executing promises. */
export const EXECUTION_CASES: readonly CaseRow[] = [
  {
    title: "moves the item once and proves it",
    run: async (cast) => {
      const asked = await askApproved(cast);
      const proof = granted(await execute(cast, asked));
      const { itemId } = asked;
      const { outcome, consumedAt, approver, consentId, digest } = proof;
      const { version } = await cast.harness.itemOf(cast.tenant, itemId);
      expectEqual("proof", isConsumedApproval(proof), true);
      expectEqual("of", [consentId, digest], [asked.view.id, asked.view.digest]);
      expectEqual("approver", approver, cast.operator.principal);
      const executedAt = consumedAt;
      const move = { itemId, from: "submitted", to: "shipped", version, executedAt };
      expectEqual("outcome", outcome, move);
      await movedBy(cast, asked, 1);
      const view = granted(await cast.store.find(cast.agent, asked.view.id));
      expectEqual("view", [view.state, view.outcome], ["consumed", outcome]);
    },
  },
  {
    title: "answers a repeat with the recorded outcome and moves nothing: consent.consumed",
    run: async (cast) => {
      const asked = await askApproved(cast);
      const { outcome } = granted(await execute(cast, asked));
      const repeat = await execute(cast, asked);
      expectEqual("code", codeOf(repeat), "consent.consumed");
      expectEqual("outcome", repeat.ok ? null : (repeat.outcome ?? null), outcome);
      await movedBy(cast, asked, 1);
    },
  },
  {
    title: "executes one of fifty calls that race: consent.consumed",
    run: async (cast) => {
      const asked = await askApproved(cast);
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => execute(cast, asked)));
      const codes = outcomes.map(codeOf).toSorted();
      const expected = [...Array.from({ length: 49 }, () => "consent.consumed"), "ok"];
      expectEqual("codes", codes, expected);
      await movedBy(cast, asked, 1);
    },
  },
  {
    title: "waits for a decision: consent.pending",
    run: async (cast) => {
      const asked = await ask(cast);
      expectEqual("code", codeOf(await execute(cast, asked)), "consent.pending");
      await movedBy(cast, asked, 0);
    },
  },
  {
    title: "executes nothing that was declined: consent.declined",
    run: async (cast) => {
      const asked = await ask(cast);
      const { id, digest } = asked.view;
      const decision = { decision: "decline", digest, reason: "no" } as const;
      granted(await cast.store.decide(cast.operator, id, decision));
      expectEqual("code", codeOf(await execute(cast, asked)), "consent.declined");
      await movedBy(cast, asked, 0);
    },
  },
  {
    title: "decides nothing that was executed: consent.consumed",
    run: async (cast) => {
      const asked = await askApproved(cast);
      granted(await execute(cast, asked));
      const { id, digest } = asked.view;
      const decision = { decision: "approve", digest, reason: "again" } as const;
      const outcome = await cast.store.decide(cast.secondOperator, id, decision);
      expectEqual("code", codeOf(outcome), "consent.consumed");
    },
  },
  ...(["colleague", "deputy", "namesake", "operator"] as const).map((who): CaseRow => ({
    title: `answers a ${who} as if there were no consent, and keeps it usable: consent.not_found`,
    run: async (cast) => {
      const asked = await askApproved(cast);
      const unknown = await cast.store.execute(cast.agent, UNKNOWN, callOf(asked));
      expectEqual(
        "same answer",
        refusalIn(await execute(cast, asked, {}, cast[who])),
        refusalIn(unknown),
      );
      expectEqual("code", codeOf(unknown), "consent.not_found");
      await usable(cast, asked);
      expectEqual(
        "after",
        refusalIn(await execute(cast, asked, {}, cast[who])),
        refusalIn(unknown),
      );
    },
  })),
  ...MISMATCHES.map(([title, change]): CaseRow => ({
    title: `refuses ${title} and keeps the approval usable: consent.arguments_mismatch`,
    run: async (cast) => {
      const asked = await askApproved(cast);
      const outcome = await execute(cast, asked, change(callOf(asked)));
      expectEqual("code", codeOf(outcome), "consent.arguments_mismatch");
      await movedBy(cast, asked, 0);
      await usable(cast, asked);
    },
  })),
  {
    title: "approves the bytes of a text, not its looks: consent.arguments_mismatch",
    run: async (cast) => {
      const { store, harness, agent, tenant } = cast;
      const first = await askApproved(cast);
      granted(await execute(cast, first));
      const { version: _, ...shipped } = await harness.itemOf(tenant, first.itemId);
      expectEqual("item", shipped.state, "shipped");
      const verify = (reason: string): PublishingCall & { destinations: [] } => ({
        ...shipment(first.itemId),
        destinations: [],
        tool: "workbench_verify_item",
        arguments: { itemId: first.itemId, outcome: "verified", reason },
      });
      const call = verify("caf\u00e9");
      const asked = { ...first, call, view: granted(await store.request(agent, call)) };
      const { id, digest } = asked.view;
      const decision = { decision: "approve", digest, reason: "reviewed" } as const;
      granted(await store.decide(cast.operator, id, decision));
      const other = await execute(cast, asked, verify("cafe\u0301"));
      expectEqual("code", codeOf(other), "consent.arguments_mismatch");
      expectEqual("same bytes", codeOf(await execute(cast, asked)), "ok");
    },
  },
  ...SURFACES.map(([title, change]): CaseRow => ({
    title: `voids the approval when ${title}: consent.surface_changed, then consent.voided`,
    run: async (cast) => {
      const asked = await askApproved(cast);
      const changed = await execute(cast, asked, change);
      expectEqual("code", codeOf(changed), "consent.surface_changed");
      expectEqual("after", codeOf(await execute(cast, asked)), "consent.voided");
      await movedBy(cast, asked, 0);
    },
  })),
  {
    title: "voids the approval when the item changed: consent.item_changed, then consent.voided",
    run: async (cast) => {
      const asked = await askApproved(cast);
      await cast.harness.touchItem(cast.tenant, asked.itemId);
      expectEqual("code", codeOf(await execute(cast, asked)), "consent.item_changed");
      expectEqual("after", codeOf(await execute(cast, asked)), "consent.voided");
      const { state } = await cast.harness.itemOf(cast.tenant, asked.itemId);
      expectEqual("item", state, "submitted");
    },
  },
  {
    title: "lets one of two approvals of one item's move count: consent.item_changed",
    run: async (cast) => {
      const first = await askApproved(cast);
      const call = { ...first.call, arguments: { ...first.call.arguments, channel: "stable" } };
      const view = granted(await cast.store.request(cast.agent, call));
      const decision = { decision: "approve", digest: view.digest, reason: "reviewed" } as const;
      granted(await cast.store.decide(cast.operator, view.id, decision));
      const second = { ...first, call, view };
      const both = await Promise.all([execute(cast, first), execute(cast, second)]);
      expectEqual("codes", both.map(codeOf).toSorted(), ["consent.item_changed", "ok"]);
      await movedBy(cast, first, 1);
    },
  },
  ...([ask, askApproved] as const).map((prepare, index): CaseRow => ({
    title: `executes nothing after the ${index === 0 ? "request" : "approval"} expired: consent.expired`,
    needs: "lapse",
    run: async (cast) => {
      const asked = await prepare(cast);
      await cast.harness.lapse?.(asked.view.id);
      expectEqual("code", codeOf(await execute(cast, asked)), "consent.expired");
      expectEqual("again", codeOf(await execute(cast, asked)), "consent.expired");
      await movedBy(cast, asked, 0);
    },
  })),
  ...(["binding", "digest", "approval"] as const).map((what): CaseRow => ({
    title: `executes nothing whose ${what} was altered: consent.integrity`,
    needs: "tamper",
    run: async (cast) => {
      const asked = await askApproved(cast);
      await cast.harness.tamper?.(asked.view.id, what);
      expectEqual("code", codeOf(await execute(cast, asked)), "consent.integrity");
      await movedBy(cast, asked, 0);
    },
  })),
];

function callOf({ call }: Asked): PublishingCall {
  const { destinations: _, ...rest } = call;
  return rest;
}

function execute(
  { store, agent }: Cast,
  asked: Asked,
  change: Change = {},
  caller: ConsentCaller = agent,
): Promise<ConsentOutcome<ConsumedApproval>> {
  return store.execute(caller, asked.view.id, { ...callOf(asked), ...change });
}

async function usable(cast: Cast, asked: Asked): Promise<void> {
  expectEqual("still usable", codeOf(await execute(cast, asked)), "ok");
  await movedBy(cast, asked, 1);
}

async function movedBy(cast: Cast, asked: Asked, moves: 0 | 1): Promise<void> {
  const { state, version } = await cast.harness.itemOf(cast.tenant, asked.itemId);
  const before = Number(asked.view.binding.preview["version"]);
  expectEqual("item", [state, version], [moves === 1 ? "shipped" : "submitted", before + moves]);
}
