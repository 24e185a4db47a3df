import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvedAgain, askedAgain, type Requested, requested, shipCall } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, required, type Store, TENANT, value } from "./store.ts";

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

/** Gives a row to another tenant, which the owner can only do past row level security too. */
async function giveAway(table: "consents" | "items", id: string): Promise<void> {
  for (const text of [
    "no force row level security",
    "disable trigger user",
    undefined,
    "enable trigger user",
    "force row level security",
  ])
    await (text === undefined
      ? store.owner.query(`update bff.${table} set tenant = 'globex' where id = $1`, [id])
      : store.owner.query(`alter table bff.${table} ${text}`));
}

/** The columns of a table, so that none is left out of what follows. */
async function columnsOf(table: string): Promise<readonly string[]> {
  const { rows } = await store.owner.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped",
    [`bff.${table}`],
  );
  return rows.map(({ name }) => name).toSorted();
}

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
  ])("%s: consent.integrity (CS-10)", async (_, edit) => {
    const asked = await approvedAgain(store, first);
    await alter(asked, edit);
    expect((await answers(asked)).executed).toBe("consent.integrity");
    expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
  });
});

const OTHER_AGENT =
  "(select id from bff.credentials where class = 'agent' and id <> credential limit 1)";

/** One edit of each column of a consent that is no key, and what is answered to whom it concerns. */
const CONSENT_EDITS: Readonly<Record<string, string>> = {
  actor: "'mallory'",
  principal: "'another'",
  credential: OTHER_AGENT,
  item: "(select id from bff.items i where i.id <> item limit 1)",
  request_key: "repeat('a', 64)",
  binding: "binding || '\\x20'",
  created_at: "created_at - interval '1 hour'",
  expires_at: "expires_at + interval '1 hour'",
  decided_at: "decided_at - interval '1 second'",
  decided_by: "'nobody'",
  decision_reason: "'another reason'",
  approval_mac: "repeat('0', 64)",
  closed_at: "closed_at + interval '1 second'",
  close_code: "'consent.other'",
  outcome: 'outcome || \'{"to":"verified"}\'',
  seal: "repeat('0', 64)",
};
/** What is no value to change: whose row it is at all, what the database makes of the binding, and the state, below. */
const KEYS = ["digest", "id", "state", "tenant"];
const OF_AN_END = ["closed_at", "close_code", "outcome"];

describe("each column of a consent, changed by the database's owner", () => {
  test("is in the tables below", async () => {
    const all = [...Object.keys(CONSENT_EDITS), ...KEYS].toSorted();
    expect(await columnsOf("consents")).toEqual(all);
  });

  test.each(Object.entries(CONSENT_EDITS).filter(([column]) => !OF_AN_END.includes(column)))(
    "of an approval, its %s: consent.integrity (CS-10)",
    async (column, edit) => {
      const asked = await approvedAgain(store, first);
      await alter(asked, `${column} = ${edit}`);
      const { shown, declined, executed } = await answers(asked);
      expect([shown, declined]).toEqual(["consent.integrity", "consent.integrity"]);
      // Of another actor it is not there.
      expect(executed).toBe(column === "actor" ? "consent.not_found" : "consent.integrity");
      expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
    },
  );

  test.each(Object.entries(CONSENT_EDITS).filter(([column]) => column !== "actor"))(
    "of one that was used, its %s: no outcome is told: consent.integrity (CS-10)",
    async (column, edit) => {
      const asked = await approvedAgain(store, first);
      value(await store.bff.executeConsent(asked.agent, asked.view.id, asked.call));
      await alter(asked, `${column} = ${edit}`);
      expect(await answers(asked)).toEqual(REFUSED);
      const again = await store.bff.executeConsent(asked.agent, asked.view.id, asked.call);
      expect(again).not.toHaveProperty("outcome");
    },
  );

  test.each(
    Object.entries(CONSENT_EDITS)
      .filter(([column]) => !/^(?:actor|decided_.*|decision_.*|approval_mac)$/.test(column))
      .filter(([column]) => !OF_AN_END.includes(column)),
  )("of a request, its %s: nobody approves it: consent.integrity (CS-10)", async (column, edit) => {
    const asked = await askedAgain(store, first);
    await alter(asked, `${column} = ${edit}`);
    expect(await answers(asked)).toEqual(REFUSED);
  });

  test("a seal that was taken away: consent.integrity", async () => {
    const asked = await approvedAgain(store, first);
    await alter(asked, "seal = null");
    expect(await answers(asked)).toEqual(REFUSED);
  });

  test("another tenant: it is not there for its own, and is altered for the other's: consent.not_found, consent.integrity", async () => {
    const asked = await approvedAgain(store, first);
    await giveAway("consents", asked.view.id);
    expect(await answers(asked)).toEqual({
      shown: "consent.not_found",
      executed: "consent.not_found",
      declined: "consent.not_found",
    });
    const operator = await store.caller("operator", { tenant: "globex" });
    expect(codeOf(await store.bff.findConsent(operator, asked.view.id))).toBe("consent.integrity");
  });
});

/** The row as it was, whole: each seal in it is good. */
async function copyOf({ view }: Requested): Promise<string> {
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [TENANT]);
  const { rows } = await store.owner.query<{ row: string }>(
    "select to_json(c)::text as row from bff.consents c where id = $1",
    [view.id],
  );
  await store.owner.query("commit");
  return required(rows[0]).row;
}

const PUT_BACK = `update bff.consents c set state = o.state, expires_at = o.expires_at, decided_at = o.decided_at,
  decided_by = o.decided_by, decision_reason = o.decision_reason, approval_mac = o.approval_mac, closed_at = o.closed_at,
  close_code = o.close_code, outcome = o.outcome, seal = o.seal
  from json_populate_record(null::bff.consents, $1) o where c.id = o.id`;

describe("an older row that is put back whole, seal and all", () => {
  test("after its use, and the item's with it: no second effect: consent.integrity (CS-10)", async () => {
    const asked = await approvedAgain(store, first);
    const [row, item] = [await copyOf(asked), await store.itemOf(TENANT, asked.itemId)];
    value(await store.bff.executeConsent(asked.agent, asked.view.id, asked.call));
    await store.unguarded(TENANT, PUT_BACK, [row]);
    expect(await answers(asked)).toEqual(REFUSED);
    await store.unguarded(
      TENANT,
      "update bff.items set state = $2, version = $3, channel = null where id = $1",
      [asked.itemId, item.state, item.version],
    );
    expect(await answers(asked)).toEqual(REFUSED);
  });

  test("after it was voided, or declined: consent.integrity", async () => {
    const [voided, declined] = [await approvedAgain(store, first), await askedAgain(store, first)];
    const rows = [await copyOf(voided), await copyOf(declined)];
    const { agent, operator, view, call } = voided;
    await store.bff.executeConsent(agent, view.id, { ...call, toolPins: {} });
    await store.bff.decideConsent(operator, declined.view.id, {
      decision: "decline",
      digest: declined.view.digest,
      reason: "no",
    });
    for (const row of rows) await store.unguarded(TENANT, PUT_BACK, [row]);
    expect([await answers(voided), await answers(declined)]).toEqual([REFUSED, REFUSED]);
  });

  test("after its approval, as a request that could be approved again: consent.integrity", async () => {
    const asked = await askedAgain(store, first);
    const row = await copyOf(asked);
    const { id, digest } = asked.view;
    const decision = { decision: "approve", digest, reason: "r" } as const;
    value(await store.bff.decideConsent(asked.operator, id, decision));
    await store.unguarded(TENANT, PUT_BACK, [row]);
    expect(await answers(asked)).toEqual(REFUSED);
    expect(codeOf(await store.bff.decideConsent(asked.operator, id, decision))).toBe(
      "consent.integrity",
    );
  });
});

/** One edit of each column of an item. */
const ITEM_EDITS: Readonly<Record<string, string>> = {
  title: "'Another thing'",
  description: "'other'",
  state: "'shipped'",
  assignee: "'mallory'",
  version: "version + 1",
  created_at: "created_at - interval '1 hour'",
  updated_at: "updated_at + interval '1 second'",
  change_summary: "'other'",
  change_artifact: "repeat('e', 64)",
  change_submitted_at: "change_submitted_at - interval '1 hour'",
  channel: "'stable'",
};

function changeItem(itemId: string, edit: string): Promise<void> {
  return store.unguarded(TENANT, `update bff.items set ${edit} where id = $1`, [itemId]);
}

describe("each column of an item, changed by the database's owner", () => {
  test("is in the table below", async () => {
    const all = [...Object.keys(ITEM_EDITS), "id", "tenant"].toSorted();
    expect(await columnsOf("items")).toEqual(all);
  });

  test.each(Object.entries(ITEM_EDITS))(
    "its %s: an approval for it is not used and no other is asked, and nothing is voided: consent.integrity",
    async (column, edit) => {
      const asked = await approvedAgain(store, first);
      const { agent, operator, view, call } = asked;
      const waiting = await askedAgain(store, first);
      for (const { itemId } of [asked, waiting]) await changeItem(itemId, `${column} = ${edit}`);
      expect(codeOf(await store.bff.executeConsent(agent, view.id, call))).toBe(
        "consent.integrity",
      );
      expect(value(await store.bff.findConsent(operator, view.id)).state).toBe("approved");
      const { id, digest } = waiting.view;
      const decision = { decision: "approve", digest, reason: "r" } as const;
      expect(codeOf(await store.bff.decideConsent(operator, id, decision))).toBe(
        "consent.integrity",
      );
      const another = { ...call, arguments: { itemId: asked.itemId, channel: "internal" } };
      const expected = column === "state" ? "item.state_refused" : "consent.integrity";
      expect(codeOf(await store.bff.requestConsent(agent, another))).toBe(expected);
    },
  );

  test("a step does not cover it: who claims or submits it is refused: consent.integrity", async () => {
    const agent = await store.caller("agent");
    const [queued, claimed] = [
      await store.item(TENANT, "queued"),
      await store.item(TENANT, "queued"),
    ];
    value(await store.bff.claimItem(agent, claimed));
    for (const itemId of [queued, claimed]) await changeItem(itemId, "title = 'Another'");
    expect(codeOf(await store.bff.claimItem(agent, queued))).toBe("consent.integrity");
    expect(codeOf(await store.bff.submitChange(agent, claimed, "s", "a".repeat(64)))).toBe(
      "consent.integrity",
    );
  });

  test("its tenant: an approval for it is not used: consent.integrity", async () => {
    const asked = await approvedAgain(store, first);
    await giveAway("items", asked.itemId);
    expect(await answers(asked)).toMatchObject({
      executed: "consent.integrity",
      declined: "consent.integrity",
    });
  });
});

/** One edit of each column of a credential. */
const CREDENTIAL_EDITS: Readonly<Record<string, string>> = {
  class: "'operator'",
  realm: "'live'",
  principal: "'mallory'",
  actor: "'mallory'",
  tenant: "'globex'",
  scopes: "array['workbench:read', 'workbench:write', 'workbench:publish', 'more']",
  expires_at: "expires_at + interval '1 year'",
  seal: "repeat('0', 64)",
};
/** An edited id or MAC is another credential, below; when it was made decides nothing. */
const CREDENTIAL_REST = ["created_at", "id", "mac", "revoked_at"];

async function changeCredential(id: string, edit: string): Promise<void> {
  await store.owner.query("alter table bff.credentials disable trigger user");
  await store.owner.query(`update bff.credentials set ${edit} where id = $1`, [id]);
  await store.owner.query("alter table bff.credentials enable trigger user");
}

describe("each column of a credential, changed by the database's owner", () => {
  test("is in the table below", async () => {
    const all = [...Object.keys(CREDENTIAL_EDITS), ...CREDENTIAL_REST].toSorted();
    expect(await columnsOf("credentials")).toEqual(all);
  });

  test.each(Object.entries(CREDENTIAL_EDITS))(
    "its %s: its bearer is refused: consent.integrity",
    async (column, edit) => {
      const bearer = await store.bearer("agent");
      const { credentialId } = value(await store.bff.authenticate(bearer));
      await changeCredential(credentialId, `${column} = ${edit}`);
      expect(codeOf(await store.bff.authenticate(bearer))).toBe("consent.integrity");
    },
  );

  test("a seal that was taken away, as of one that was minted before there were seals: auth.token_invalid", async () => {
    const bearer = await store.bearer("agent");
    const { credentialId } = value(await store.bff.authenticate(bearer));
    await changeCredential(credentialId, "seal = null");
    expect(codeOf(await store.bff.authenticate(bearer))).toBe("auth.token_invalid");
  });

  test("its id, and its MAC for another's bearer: consent.integrity", async () => {
    const [one, other] = [await store.bearer("agent"), await store.bearer("operator")];
    const { credentialId } = value(await store.bff.authenticate(one));
    const { credentialId: second } = value(await store.bff.authenticate(other));
    await changeCredential(credentialId, "id = gen_random_uuid()");
    expect(codeOf(await store.bff.authenticate(one))).toBe("consent.integrity");
    await store.owner.query("update bff.credentials set revoked_at = bff.clock() where id = $1", [
      second,
    ]);
    const third = await store.bearer("agent");
    const { credentialId: mine } = value(await store.bff.authenticate(third));
    await store.owner.query("drop index bff.credentials_one_mac");
    await changeCredential(mine, `mac = (select mac from bff.credentials where id = '${second}')`);
    expect(codeOf(await store.bff.authenticate(other))).toBe("consent.integrity");
  });

  test("one that was revoked and is not any more: consent.integrity", async () => {
    const bearer = await store.bearer("agent");
    const { credentialId } = value(await store.bff.authenticate(bearer));
    await store.owner.query("select bff.revoke_credential($1)", [credentialId]);
    expect(codeOf(await store.bff.authenticate(bearer))).toBe("auth.token_invalid");
    await changeCredential(credentialId, "revoked_at = null");
    expect(codeOf(await store.bff.authenticate(bearer))).toBe("consent.integrity");
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

test("a whole request that nobody made, without the key: nobody approves it: consent.integrity", async () => {
  const asked = await askedAgain(store, first);
  await store.unguarded(
    TENANT,
    `insert into bff.consents (id, tenant, actor, principal, credential, item, request_key, binding, created_at, expires_at, seal)
      select '11111111-1111-4111-8111-111111111111', tenant, actor, principal, credential, item, repeat('b', 64),
        convert_to(replace(convert_from(binding, 'UTF8'), id::text, '11111111-1111-4111-8111-111111111111'), 'UTF8'),
        created_at, expires_at, seal from bff.consents where id = $1`,
    [asked.view.id],
  );
  const id = "11111111-1111-4111-8111-111111111111";
  expect(codeOf(await store.bff.findConsent(asked.operator, id))).toBe("consent.integrity");
  const decision = { decision: "approve", digest: asked.view.digest, reason: "r" } as const;
  expect(codeOf(await store.bff.decideConsent(asked.operator, id, decision))).toBe(
    "consent.integrity",
  );
});

test("the same call does not answer a request that was altered: consent.integrity", async () => {
  const asked = await askedAgain(store, first);
  await alter(asked, "created_at = created_at - interval '1 second'");
  expect(codeOf(await store.bff.requestConsent(asked.agent, shipCall(asked.itemId)))).toBe(
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
