import type { JsonObject } from "@eve/canonical-json";
import { CATALOGUE } from "@eve/registry-schema";
import { listIn, objectIn, textIn } from "@eve/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listCredentials, revokeCredential } from "../src/database/database.ts";
import { OPERATOR, type RealService, startService } from "./real-service.ts";
import { type WorkbenchClient, workbenchClient } from "./workbench-client.ts";

let service: RealService;
let [agent, operator, shared] = ["", "", ""];
let workbench: WorkbenchClient;

beforeAll(async () => {
  service = await startService();
  agent = await service.mint();
  operator = await service.mint(OPERATOR);
  shared = await service.mint({ class: "shared", actor: "shared:t1", scopes: ["workbench:read"] });
  workbench = workbenchClient(service.origin, agent);
});
afterAll(() => service.close());

/** Sends JSON as somebody and answers status and body. */
async function ask(
  token: string,
  method: "GET" | "POST",
  url: string,
  payload?: object,
): Promise<{ readonly status: number; readonly body: JsonObject; readonly text: string }> {
  const answer = await service.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
}

async function createItem(title = "A thing"): Promise<string> {
  const { status, body } = await ask(operator, "POST", "/v1/items", { title, description: "d" });
  expect(status).toBe(201);
  return textIn(objectIn(body["item"])["id"]);
}

/** An item that is submitted, ready to be shipped. */
async function submittedItem(): Promise<string> {
  const itemId = await createItem();
  await workbench.call("workbench_claim_item", { itemId });
  const change = { itemId, summary: "Does it", artifactSha256: "a".repeat(64) };
  expect(await workbench.call("workbench_submit_change", change)).toMatchObject({ status: "ok" });
  return itemId;
}

async function requested(
  args: JsonObject,
  tool = "workbench_ship_item",
): Promise<{ id: string; digest: string }> {
  const answer = await workbench.call(tool, args);
  expect(answer["status"]).toBe("approval_required");
  return { id: textIn(answer["consentId"]), digest: textIn(answer["digest"]) };
}

async function approved(args: JsonObject, tool?: string): Promise<string> {
  const { id, digest } = await requested(args, tool);
  const { body } = await ask(operator, "POST", `/v1/consents/${id}/approve`, {
    digest,
    reason: "Looked at it",
  });
  expect(body["state"]).toBe("approved");
  return id;
}

describe("the seven tools, as the workbench's own client asks for them", () => {
  test("answer what its output schemas allow, from the queue to verification", async () => {
    const itemId = await createItem("The whole way");
    expect(await workbench.whoami()).toMatchObject({ actor: "agent:1", class: "agent" });
    const listed = await workbench.call("workbench_list_items", { state: "queued", limit: 1 });
    expect(listed).toMatchObject({ status: "ok", items: [{ id: itemId, state: "queued" }] });
    expect(await workbench.call("workbench_claim_item", { itemId })).toMatchObject({
      item: { state: "claimed", assignee: "agent:1" },
    });
    expect(await workbench.call("workbench_add_note", { itemId, text: "n" })).toMatchObject({
      note: { text: "n" },
    });
    const change = { itemId, summary: "s", artifactSha256: "b".repeat(64) };
    expect(await workbench.call("workbench_submit_change", change)).toMatchObject({
      item: { state: "submitted" },
    });

    const ship = { itemId, channel: "beta" };
    const shipped = await workbench.call("workbench_ship_item", ship, await approved(ship));
    expect(shipped).toMatchObject({ status: "ok", channel: "beta", item: { state: "shipped" } });
    const close = { itemId, outcome: "verified", reason: "works" };
    const closed = await workbench.call(
      "workbench_verify_item",
      close,
      await approved(close, "workbench_verify_item"),
    );
    expect(closed).toMatchObject({ status: "ok", item: { state: "verified" } });

    const read = await workbench.call("workbench_get_item", { itemId });
    expect(read).toMatchObject({ item: { channel: "beta", change: { summary: "s" } } });
    expect(
      await workbenchClient(service.origin, shared).call("workbench_get_item", { itemId }),
    ).toEqual(read);
  });

  test("page through a list with its cursor", async () => {
    await Promise.all([createItem(), createItem(), createItem()]);
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: JsonObject = await workbench.call("workbench_list_items", {
        limit: 2,
        ...(cursor !== null && { cursor }),
      });
      for (const one of listIn(page["items"])) seen.add(textIn(objectIn(one)["id"]));
      const next = page["nextCursor"];
      cursor = typeof next === "string" ? next : null;
    } while (cursor !== null);
    expect(seen.size).toBeGreaterThanOrEqual(3);
  });

  test("refuse what an item's state does not allow: item.state_refused, item.not_found", async () => {
    const itemId = await submittedItem();
    expect(await workbench.call("workbench_claim_item", { itemId })).toMatchObject({
      code: "item.state_refused",
    });
    expect(await workbench.call("workbench_get_item", { itemId: "nowhere" })).toMatchObject({
      code: "item.not_found",
    });
    const other = workbenchClient(
      service.origin,
      await service.mint({ tenant: "t2", actor: "agent:2" }),
    );
    expect(await other.call("workbench_get_item", { itemId })).toMatchObject({
      code: "item.not_found",
    });
  });
});

describe("a publication", () => {
  test("without a consent id writes a request alone and tells where it is decided", async () => {
    const itemId = await submittedItem();
    const before = await workbench.call("workbench_get_item", { itemId });
    const answer = await workbench.call("workbench_ship_item", { itemId, channel: "beta" });
    expect(answer).toMatchObject({ status: "approval_required" });
    expect(answer["approveUrl"]).toBe(
      `http://127.0.0.1:4092/consents/${textIn(answer["consentId"])}`,
    );
    expect(await workbench.call("workbench_get_item", { itemId })).toEqual(before);
    expect(await workbench.call("workbench_ship_item", { itemId, channel: "beta" })).toEqual(
      answer,
    );
  });

  test("with a consent id that nobody has decided on is pending", async () => {
    const args = { itemId: await submittedItem(), channel: "beta" };
    const { id } = await requested(args);
    expect(await workbench.call("workbench_ship_item", args, id)).toMatchObject({
      status: "pending",
      consentId: id,
    });
  });

  test("cannot be approved by its requester, by a shared credential, or by an operator of the same principal (ADR-0092-231, ADR-0092-407)", async () => {
    const { id, digest } = await requested({ itemId: await submittedItem(), channel: "beta" });
    const same = await service.mint({ ...OPERATOR, actor: "op:2", principal: "team:a" });
    const codes = await Promise.all(
      [agent, shared, same].map(
        async (token) =>
          (await ask(token, "POST", `/v1/consents/${id}/approve`, { digest, reason: "r" })).body[
            "code"
          ],
      ),
    );
    expect(codes).toEqual([
      "consent.approver_not_operator",
      "consent.approver_not_operator",
      "consent.self_approval",
    ]);
  });

  test("is decided on by the digest that was displayed: consent.digest_mismatch", async () => {
    const { id } = await requested({ itemId: await submittedItem(), channel: "beta" });
    const decision = { digest: "0".repeat(64), reason: "r" };
    const { status, body } = await ask(operator, "POST", `/v1/consents/${id}/approve`, decision);
    expect([status, body["code"]]).toEqual([409, "consent.digest_mismatch"]);
  });

  test("executes once, and a repeat learns what was recorded: consent.consumed", async () => {
    const args = { itemId: await submittedItem(), channel: "stable" };
    const id = await approved(args);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => workbench.call("workbench_ship_item", args, id)),
    );
    expect(answers.filter(({ status }) => status === "ok")).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== "ok"))
      expect(answer).toMatchObject({
        code: "consent.consumed",
        outcome: { from: "submitted", to: "shipped" },
      });
  });

  test("with another argument, tool, actor or tenant is refused and leaves the approval usable", async () => {
    const args = { itemId: await submittedItem(), channel: "beta" };
    const id = await approved(args);
    const elsewhere = workbenchClient(service.origin, await service.mint({ tenant: "t2" }));
    const other = workbenchClient(service.origin, await service.mint({ actor: "agent:9" }));
    const verify = { itemId: args.itemId, outcome: "verified", reason: "r" };
    expect(
      await workbench.call("workbench_ship_item", { ...args, channel: "stable" }, id),
    ).toMatchObject({ code: "consent.arguments_mismatch" });
    expect(await workbench.call("workbench_verify_item", verify, id)).toMatchObject({
      code: "consent.arguments_mismatch",
    });
    expect(await other.call("workbench_ship_item", args, id)).toMatchObject({
      code: "consent.not_found",
    });
    expect(await elsewhere.call("workbench_ship_item", args, id)).toMatchObject({
      code: "consent.not_found",
    });
    expect(await workbench.call("workbench_ship_item", args, id)).toMatchObject({ status: "ok" });
  });

  test("that was declined stays so: consent.declined", async () => {
    const args = { itemId: await submittedItem(), channel: "beta" };
    const { id, digest } = await requested(args);
    await ask(operator, "POST", `/v1/consents/${id}/decline`, { digest, reason: "No" });
    expect(await workbench.call("workbench_ship_item", args, id)).toMatchObject({
      code: "consent.declined",
    });
    const again = await ask(operator, "POST", `/v1/consents/${id}/approve`, {
      digest,
      reason: "Yes",
    });
    expect(again.body["code"]).toBe("consent.declined");
  });

  test("that was approved is not decided again, and the answer tells its state alone: consent.decided", async () => {
    const args = { itemId: await submittedItem(), channel: "beta" };
    const { id, digest } = await requested(args);
    const decision = { digest, reason: "Read it" };
    await ask(operator, "POST", `/v1/consents/${id}/approve`, decision);
    for (const again of ["approve", "decline"]) {
      const { status, body } = await ask(operator, "POST", `/v1/consents/${id}/${again}`, decision);
      expect(body).toEqual({
        type: "urn:eve:refusal:consent.decided",
        title: CATALOGUE["consent.decided"].title,
        status: 409,
        code: "consent.decided",
        remedy: CATALOGUE["consent.decided"].remedy,
        state: "approved",
      });
      expect(status).toBe(409);
    }
    expect(await workbench.call("workbench_ship_item", args, id)).toMatchObject({ status: "ok" });
  });
});

describe("a consent", () => {
  test("is shown to its requester and to operators of its tenant, and to nobody else: consent.not_found", async () => {
    const { id, digest } = await requested({ itemId: await submittedItem(), channel: "beta" });
    const [mine, theirs] = [
      await ask(agent, "GET", `/v1/consents/${id}`),
      await ask(operator, "GET", `/v1/consents/${id}`),
    ];
    expect(mine.body).toMatchObject({
      id,
      digest,
      state: "pending",
      binding: { tool: "workbench_ship_item" },
    });
    expect(theirs.text).toBe(mine.text);
    const strangers = [
      await service.mint({ actor: "agent:7" }),
      await service.mint({ ...OPERATOR, tenant: "t2" }),
    ];
    const unknown = await ask(agent, "GET", "/v1/consents/00000000-0000-4000-8000-000000000000");
    for (const token of strangers)
      expect((await ask(token, "GET", `/v1/consents/${id}`)).text).toBe(unknown.text);
    expect([unknown.status, unknown.body["code"]]).toEqual([404, "consent.not_found"]);
  });
});

describe("a credential", () => {
  test("that was revoked is refused at its next request: auth.token_invalid", async () => {
    const actor = "agent:gone";
    const token = await service.mint({ actor });
    expect((await ask(token, "GET", "/v1/whoami")).status).toBe(200);
    const all = await listCredentials(service.ownerUrl);
    const id = all.find((credential) => credential.actor === actor)?.id ?? "";
    expect(await revokeCredential(service.ownerUrl, id)).toMatch(/Z$/);
    const { status, body } = await ask(token, "GET", "/v1/whoami");
    expect([status, body["code"]]).toEqual([401, "auth.token_invalid"]);
    expect((await ask(agent, "GET", "/v1/whoami")).status).toBe(200);
  });
});

describe("secrets", () => {
  test("are in no log of all of the above", () => {
    const log = JSON.stringify(service.events);
    expect(service.events.length).toBeGreaterThan(50);
    for (const token of [agent, operator, shared]) expect(log).not.toContain(token.slice(-43));
  });
});
