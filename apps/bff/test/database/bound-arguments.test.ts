import { framedDigest, type JsonObject, parseJson } from "@eve/canonical-json";
import { encodeBinding, REQUEST_LIFE_MS } from "@eve/consent-binding";
import { formatInstant } from "@eve/registry-schema";
import { objectIn } from "@eve/test-kit";
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consentSealPads } from "../../src/database/row-seal.ts";
import type { PublishCall } from "../../src/database/database.ts";
import { approve, approved, type Requested, requested, verifyCall } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, type Store, TENANT, value } from "./store.ts";

let store: Store;
let first: Requested;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
});
afterAll(() => store[Symbol.asyncDispose]());

async function execute(
  { agent, view, call }: Requested,
  change: Partial<PublishCall> = {},
): Promise<string> {
  return codeOf(await store.bff.executeConsent(agent, view.id, { ...call, ...change }));
}

/** An approval to close a shipped item, for a reason. */
async function closing(reason: string): Promise<Requested> {
  const shipped = await approved(store);
  expect(await execute(shipped)).toBe("ok");
  const plain = verifyCall(shipped.itemId);
  const call = { ...plain, arguments: { ...plain.arguments, reason } };
  const view = value(await store.bff.requestConsent(shipped.agent, call));
  return { ...shipped, call, view: await approve(store, { ...shipped, view }) };
}

/** An approval of the arguments that a body says, which no tool of ours takes: some have numbers. */
async function approvalOf(extra: string): Promise<Requested> {
  const { agent, call } = first;
  const itemId = await store.item();
  const fields = read(extra, itemId);
  const { integration, tool, toolPins, entryDigest } = call;
  const { version } = await store.itemOf(TENANT, itemId);
  const effect = { channel: "beta" };
  const draft = {
    version: 1 as const,
    actor: agent.actor,
    tenant: TENANT,
    integration,
    tool,
    toolPins,
    entryDigest,
    arguments: fields,
    preview: { itemId, from: "submitted", to: "shipped", version, effect, destinations: [] },
  };
  const expiresAt = formatInstant((await store.bff.now()) + REQUEST_LIFE_MS);
  const id = randomUUID();
  await store.service.query("select bff.request_consent($1, $2, $3, $4, $5)", [
    agent.credentialId,
    framedDigest("eve/consent-request/1", draft),
    itemId,
    Buffer.from(encodeBinding({ ...draft, consentId: id, expiresAt })),
    consentSealPads(store.keys, id),
  ]);
  const view = value(await store.bff.findConsent(agent, id));
  const asked = { ...first, itemId, view, call: { ...call, arguments: fields } };
  return { ...asked, view: await approve(store, asked) };
}

function read(extra: string, itemId: string): JsonObject {
  const parsed = parseJson(
    Buffer.from(`{"itemId":${JSON.stringify(itemId)},"channel":"beta",${extra}}`),
  );
  if (!parsed.ok) throw new Error(parsed.fault.code);
  return objectIn(parsed.value);
}

describe("an approval of one text", () => {
  const REASON = 'It works: café, \u{1F6A2}, "quoted"';

  test("is of none with one byte changed, dropped or added, wherever, and stays good once: consent.arguments_mismatch (CB-02, D27)", async () => {
    const asked = await closing(REASON);
    const bytes = Buffer.from(REASON);
    const changed = Array.from(bytes.keys()).flatMap((at) => [
      Buffer.concat([
        bytes.subarray(0, at),
        Buffer.of((bytes[at] ?? 0) ^ 1),
        bytes.subarray(at + 1),
      ]),
      Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
      Buffer.concat([bytes.subarray(0, at), Buffer.from(" "), bytes.subarray(at)]),
    ]);
    const texts = new Set(changed.map((one) => one.toString("utf8")));
    texts.delete(REASON);
    expect(texts.size).toBeGreaterThan(80);
    for (const reason of texts)
      expect(await execute(asked, { arguments: { ...asked.call.arguments, reason } })).toBe(
        "consent.arguments_mismatch",
      );
    expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("shipped");
    expect(await execute(asked)).toBe("ok");
    expect(await execute(asked)).toBe("consent.consumed");
  });

  test.each([
    ["decomposed", REASON.normalize("NFD")],
    ["in upper case", REASON.toUpperCase()],
    ["with a space that does not show", `${REASON}\u200b`],
    ["with a look-alike", REASON.replace("a", "\u0430")],
  ])(
    "is of none that is the same but %s: consent.arguments_mismatch (CB-05)",
    async (_, reason) => {
      const asked = await closing(REASON);
      expect(reason).not.toBe(REASON);
      expect(await execute(asked, { arguments: { ...asked.call.arguments, reason } })).toBe(
        "consent.arguments_mismatch",
      );
      expect(await execute(asked)).toBe("ok");
    },
  );

  test.each([
    ["null where there was nothing", { force: null }],
    ["an empty object where there was nothing", { force: {} }],
    ["the channel in a list", { channel: ["beta"] }],
    ["the channel in an object", { channel: { $ne: null } }],
  ])("is of none with %s: consent.arguments_mismatch (CB-02)", async (_, change) => {
    const asked = await approved(store);
    const fields = { ...asked.call.arguments, ...change };
    expect(await execute(asked, { arguments: fields })).toBe("consent.arguments_mismatch");
    expect(await execute(asked)).toBe("ok");
  });
});

describe("an approval of one number", () => {
  test.each([
    ["1", "1.0"],
    ["1", "1e0"],
    ["100", "1E+2"],
    ["0", "-0"],
    ["0.1", "0.1000000000000000055511151231257827"],
  ])("is good once for another spelling of it, %s as %s (CB-04, CB-08)", async (one, other) => {
    const asked = await approvalOf(`"weight":${one}`);
    const spelled = read(`"weight":${other}`, asked.itemId);
    expect(await execute(asked, { arguments: spelled })).toBe("ok");
    expect(await execute(asked, { arguments: spelled })).toBe("consent.consumed");
  });

  test.each([
    ["1", '"1"'],
    ["1", "1.0000000000000002"],
    ["9007199254740992", "9007199254740991"],
    ["9007199254740992", "9007199254740994"],
    ["0", "5e-324"],
    ["1", "true"],
  ])("is of no other, %s and not %s: consent.arguments_mismatch (CB-02)", async (one, other) => {
    const asked = await approvalOf(`"weight":${one}`);
    const changed = read(`"weight":${other}`, asked.itemId);
    expect(await execute(asked, { arguments: changed })).toBe("consent.arguments_mismatch");
    expect(await execute(asked)).toBe("ok");
  });
});

const flip = (digest: string, at: number): string =>
  digest.slice(0, at) + (digest[at] === "0" ? "1" : "0") + digest.slice(at + 1);

describe("digests are compared whole", () => {
  test("the displayed one at a decision, each of its 64 digits: consent.digest_mismatch (CB-14)", async () => {
    const { operator, view } = await requested(store);
    for (let at = 0; at < 64; at += 1) {
      const digest = flip(view.digest, at);
      const decision = { decision: "approve", digest, reason: "reviewed" } as const;
      expect(codeOf(await store.bff.decideConsent(operator, view.id, decision))).toBe(
        "consent.digest_mismatch",
      );
    }
    await approve(store, { operator, view });
  });

  test("the approval's code at its use, each of its 64 digits: consent.integrity (CB-14)", async () => {
    const asked = await approved(store);
    const { rows } = await ownerQuery(
      "select approval_mac as mac from bff.consents where id = $1",
      [asked.view.id],
    );
    const mac = String(rows[0]?.["mac"]);
    const write = (text: string): Promise<void> =>
      store.unguarded(TENANT, "update bff.consents set approval_mac = $2 where id = $1", [
        asked.view.id,
        text,
      ]);
    for (let at = 0; at < 64; at += 1) {
      await write(flip(mac, at));
      expect(await execute(asked)).toBe("consent.integrity");
    }
    await write(mac);
    expect(await execute(asked)).toBe("ok");
  });
});

async function ownerQuery(
  text: string,
  values: readonly unknown[],
): Promise<{ rows: readonly Record<string, unknown>[] }> {
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [TENANT]);
  const { rows } = await store.owner.query<Record<string, unknown>>(text, [...values]);
  await store.owner.query("commit");
  return { rows };
}
