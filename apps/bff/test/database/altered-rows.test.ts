import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvedAgain, askedAgain, type Requested, requested } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, type Store, TENANT } from "./store.ts";

let store: Store;
let first: Requested;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
});
afterAll(() => store[Symbol.asyncDispose]());

type Answers = Readonly<Record<"shown" | "executed" | "declined", string>>;

/** What the service answers about an altered consent: shown, executed, and decided about. */
async function answers({ agent, operator, view, call }: Requested): Promise<Answers> {
  const decision = { decision: "decline", digest: view.digest, reason: "no" } as const;
  return {
    shown: codeOf(await store.bff.findConsent(operator, view.id)),
    executed: codeOf(await store.bff.executeConsent(agent, view.id, call)),
    declined: codeOf(await store.bff.decideConsent(operator, view.id, decision)),
  };
}

const REFUSED: Answers = {
  shown: "consent.integrity",
  executed: "consent.integrity",
  declined: "consent.integrity",
};

function alter({ view }: Requested, change: string): Promise<void> {
  return store.unguarded(TENANT, `update bff.consents set ${change} where id = $1`, [view.id]);
}

/** In the stored text, as the owner of the database can. */
const rewritten = (from: string, to: string): string =>
  `binding = convert_to(replace(convert_from(binding, 'UTF8'), '${from}', '${to}'), 'UTF8')`;

const EDITS = [
  ["arguments", rewritten('"channel":"beta","itemId"', '"channel":"stable","itemId"')],
  ["impact", rewritten('"to":"shipped"', '"to":"rejected"')],
  [
    "channel of the effect",
    rewritten('"effect":{"channel":"beta"}', '"effect":{"channel":"stable"}'),
  ],
  ["data destinations", rewritten("127.0.0.1:4092", "127.0.0.1:6666")],
  ["data classes", rewritten('"work-item"', '"nothing"')],
  ["tool", rewritten("workbench_ship_item", "workbench_verify_item")],
] as const;

describe("an approval whose row the database's owner changed is used for nothing", () => {
  // The digest is the database's own, so that with the bytes it changes too.
  test.each(EDITS)(
    "its %s, and so its digest: consent.integrity (CS-10, CS-11)",
    async (_, edit) => {
      const asked = await approvedAgain(store, first);
      await alter(asked, edit);
      expect(await answers(asked)).toEqual(REFUSED);
      expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
    },
  );

  test("nor does the changed call fit it: consent.integrity (CS-11)", async () => {
    const asked = await approvedAgain(store, first);
    await alter(asked, EDITS[0][1]);
    const call = { ...asked.call, arguments: { itemId: asked.itemId, channel: "stable" } };
    expect(await answers({ ...asked, call })).toEqual(REFUSED);
  });

  test.each([
    ["bytes of no JSON", "binding = '\\x7b7b'"],
    ["another spelling of the same JSON", "binding = binding || convert_to(' ', 'UTF8')"],
    ["no approver", "decided_by = 'nobody'"],
    ["another end", "expires_at = expires_at + interval '1 hour'"],
    ["another requester's principal", "principal = 'another'"],
    [
      "another credential",
      "credential = (select id from bff.credentials where class = 'operator' limit 1)",
    ],
  ])("%s: consent.integrity (CS-10)", async (_, edit) => {
    const asked = await approvedAgain(store, first);
    await alter(asked, edit);
    expect((await answers(asked)).executed).toBe("consent.integrity");
    expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
  });
});

test("a request given another principal cannot be approved by who made it: consent.integrity", async () => {
  const asked = await askedAgain(store, first);
  const { principal } = asked.agent;
  const themselves = await store.caller("operator", { principal });
  const decision = { decision: "approve", digest: asked.view.digest, reason: "mine" } as const;
  const decide = async (): Promise<string> =>
    codeOf(await store.bff.decideConsent(themselves, asked.view.id, decision));
  expect(await decide()).toBe("consent.self_approval");
  await alter(asked, "principal = 'another'");
  expect(await decide()).toBe("consent.integrity");
  expect(codeOf(await store.bff.executeConsent(asked.agent, asked.view.id, asked.call))).toBe(
    "consent.integrity",
  );
});

test.each(["declined", "expired", "voided"])(
  "what was %s and is given an approval of another: consent.integrity (CS-10)",
  async (state) => {
    const [asked, other] = [await askedAgain(store, first), await approvedAgain(store, first)];
    const closed =
      state === "declined"
        ? ", decided_at = bff.clock(), decided_by = 'olga', decision_reason = 'r'"
        : "";
    await alter(asked, `state = '${state}', closed_at = bff.clock()${closed}`);
    await store.unguarded(
      TENANT,
      "update bff.consents t set state = 'approved', closed_at = null, decided_at = s.decided_at, decided_by = s.decided_by, decision_reason = s.decision_reason, approval_mac = s.approval_mac, expires_at = s.expires_at from bff.consents s where s.id = $1 and t.id = $2",
      [other.view.id, asked.view.id],
    );
    expect(await answers(asked)).toEqual(REFUSED);
    expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
  },
);
