import { createHash } from "node:crypto";
import { objectIn, textIn } from "@eve/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR, type RealService, startService } from "../real-service.ts";
import { ORIGIN } from "../test-registry.ts";

let service: RealService;
let [agent, operator] = ["", ""];
beforeAll(async () => {
  service = await startService();
  agent = await service.mint();
  operator = await service.mint(OPERATOR);
});
afterAll(() => service.close());

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const HIDDEN = "spotless \u202E<b>&</b>";

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

async function open(id: string): Promise<Page> {
  const { statusCode: status, headers, body: text } = await service.app.inject(`/consents/${id}`);
  return { status, headers, text };
}

async function submit(
  id: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = { origin: ORIGIN, "sec-fetch-site": "same-origin" },
): Promise<Page> {
  const answer = await service.app.inject({
    method: "POST",
    url: `/consents/${id}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

async function post(token: string, url: string, payload: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  return (await service.app.inject({ method: "POST", url, headers, payload })).json();
}

/** A request to close a shipped item, with a reason that hides something. */
async function requested(): Promise<{
  readonly id: string;
  readonly digest: string;
  readonly itemId: string;
}> {
  const made = objectIn(await asJson(post(operator, "/v1/items", { title: "A thing" })));
  const itemId = textIn(objectIn(made["item"])["id"]);
  const call = (tool: string, args: object, consentId?: string): Promise<unknown> =>
    post(agent, `/v1/tools/workbench_${tool}/calls`, {
      arguments: { itemId, ...args },
      ...(consentId && { consentId }),
    });
  await call("claim_item", {});
  await call("submit_change", { summary: "s", artifactSha256: "a".repeat(64) });
  const ship = objectIn(await asJson(call("ship_item", { channel: "beta" })));
  const decision = { digest: textIn(ship["digest"]), reason: "r" };
  const shipId = textIn(ship["consentId"]);
  await post(operator, `/v1/consents/${shipId}/approve`, decision);
  await call("ship_item", { channel: "beta" }, shipId);
  const close = objectIn(
    await asJson(call("verify_item", { outcome: "rejected", reason: HIDDEN })),
  );
  return { id: textIn(close["consentId"]), digest: textIn(close["digest"]), itemId };
}

/** Decides on a request as the operator. */
function decided(
  { id, digest }: { readonly id: string; readonly digest: string },
  step: "approve" | "decline",
): Promise<Page> {
  return submit(id, { step, digest, reason: "r", credential: operator });
}

function idsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);
}

describe("the page at the approve URL", () => {
  test("asks for a credential first: the same bytes for every id", async () => {
    const { id } = await requested();
    const pages = await Promise.all([id, UNKNOWN, "x"].map(open));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(pages[0]?.status).toBe(200);
    expect(pages[0]?.text).toContain('<input id="credential" name="credential" type="password"');
  });

  test("needs no script, takes no outside resource and no frame, and is kept by no cache", async () => {
    const { headers, text } = await open(UNKNOWN);
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? "";
    const digest = createHash("sha256").update(style).digest("base64");
    expect(style.length).toBeGreaterThan(100);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expect(text).not.toMatch(/<script|\son\w+=|src=|style=|https?:/);
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("shows an operator the whole request, with what is invisible marked", async () => {
    const { id, digest, itemId } = await requested();
    const { status, text } = await submit(id, { step: "show", credential: operator });
    expect(status).toBe(200);
    expect(text).toContain(`<pre id="digest">${digest}</pre>`);
    expect(text).toContain(
      `<pre id="arguments">{&quot;itemId&quot;:&quot;${itemId}&quot;,&quot;outcome&quot;:&quot;rejected&quot;,` +
        `&quot;reason&quot;:&quot;spotless <mark>⟨U+202E⟩</mark>&lt;b&gt;&amp;&lt;/b&gt;&quot;}</pre>`,
    );
    expect(text).toContain("shipped → rejected, version ");
    expect(text).toContain(`Data goes to ${ORIGIN}`);
    expect(text).toContain("work-item, actor-id");
    expect(text).toContain("<code>agent:1</code>");
    expect(text).toMatch(/<strong id="remaining">9 minutes \d+ seconds?<\/strong>/);
    expect(text).toMatch(/<time datetime="[^"]+Z">/);
    for (const field of ["digest", "reason", "credential"])
      expect(text).toContain(`name="${field}"`);
    expect(text).not.toContain("\u202E");
    expect(text).not.toContain(operator);
  });

  test("gives each field a label and each id once", async () => {
    const { id } = await requested();
    const { text } = await submit(id, { step: "show", credential: operator });
    const ids = idsOf(text);
    expect(new Set(ids).size).toBe(ids.length);
    const labelled = Array.from(text.matchAll(/<label for="([^"]+)"/g), ([, field]) => field);
    expect(labelled).toEqual(["reason", "credential"]);
    expect(text).toMatch(/<html lang="en">[^]*<title>[^<]+<\/title>[^]*<main>\n<h1>/);
  });

  test("approves with reason, digest and the credential entered again", async () => {
    const { id, digest, itemId } = await requested();
    const fields = { step: "approve", digest, reason: "Read it\r\ntwice", credential: operator };
    const { status, text } = await submit(id, fields);
    expect(status).toBe(200);
    expect(text).toContain('<strong id="state">approved</strong> by <code>');
    expect(text).not.toContain("<form");
    const call = { arguments: { itemId, outcome: "rejected", reason: HIDDEN }, consentId: id };
    expect(await post(agent, "/v1/tools/workbench_verify_item/calls", call)).toMatchObject({
      status: "ok",
      item: { state: "rejected" },
    });
  });

  test("tells of an approval what was done with it, or that nothing was: what a caller whose connection broke cannot know", async () => {
    const asked = await requested();
    const args = { itemId: asked.itemId, outcome: "rejected", reason: HIDDEN };
    const show = async (): Promise<string> =>
      (await submit(asked.id, { step: "show", credential: operator })).text;
    expect(await show()).not.toContain('id="done"');
    await decided(asked, "approve");
    expect(await show()).toContain('<p id="done">It has not been used: nothing was done with it.');
    await post(agent, "/v1/tools/workbench_verify_item/calls", {
      arguments: args,
      consentId: asked.id,
    });
    const done = /<dl id="done">([^]*?)<\/dl>/.exec(await show())?.[1];
    expect(done).toContain("<dt>from</dt><dd><code>shipped</code></dd>");
    expect(done).toContain("<dt>to</dt><dd><code>rejected</code></dd>");
    expect(done).toContain("<dt>executedAt</dt>");
  });

  test("declines", async () => {
    const { id, digest } = await requested();
    const { text } = await submit(id, {
      step: "decline",
      digest,
      reason: "No",
      credential: operator,
    });
    expect(text).toContain('<strong id="state">declined</strong>');
  });
});

/** The status and the code of a refusal page, which must hold no credential. */
async function refused(
  id: string,
  fields: Readonly<Record<string, string>> | string,
  headers?: Readonly<Record<string, string>>,
): Promise<readonly [number, string | undefined]> {
  const { status, text, headers: sent } = await submit(id, fields, headers);
  expect(sent["content-type"]).toBe("text/html; charset=utf-8");
  expect(text).not.toContain(operator.slice(-43));
  expect(text).not.toContain(agent.slice(-43));
  return [status, /<code id="code">([^<]+)<\/code>/.exec(text)?.[1]];
}

describe("the page refuses", () => {
  test("a form from elsewhere: request.invalid", async () => {
    const { id, digest } = await requested();
    const fields = { step: "approve", digest, reason: "r", credential: operator };
    const origins: readonly Readonly<Record<string, string>>[] = [
      {},
      { origin: "null" },
      { origin: "http://localhost:4092" },
      { origin: "https://evil.example" },
      { origin: ORIGIN, "sec-fetch-site": "cross-site" },
      { origin: ORIGIN, "sec-fetch-site": "same-site" },
    ];
    for (const headers of origins)
      expect(await refused(id, fields, headers)).toEqual([400, "request.invalid"]);
  });

  test.each([
    ["nothing", ""],
    ["an unknown step", "step=delete&credential=x"],
    ["a field twice", "step=show&credential=x&credential=y"],
    ["a field more", "step=show&credential=x&tenant=t2"],
    ["__proto__", "step=show&credential=x&__proto__=y"],
    ["no reason", `step=approve&credential=x&digest=${"a".repeat(64)}&reason=`],
    ["no digest", "step=approve&credential=x&reason=r"],
  ])("a form of %s: request.invalid", async (_title, form) => {
    expect(await refused(UNKNOWN, form)).toEqual([400, "request.invalid"]);
  });

  test("JSON and what is too large: request.unsupported_media_type, request.too_large", async () => {
    const json = { origin: ORIGIN, "content-type": "application/json" };
    expect(await refused(UNKNOWN, "{}", json)).toEqual([415, "request.unsupported_media_type"]);
    expect(await refused(UNKNOWN, `step=${"x".repeat(20_000)}`)).toEqual([
      413,
      "request.too_large",
    ]);
  });

  test("a credential that is unknown or no operator's: auth.token_invalid, consent.approver_not_operator", async () => {
    const { id } = await requested();
    expect(await refused(id, { step: "show", credential: "eve_local_operator_x" })).toEqual([
      401,
      "auth.token_invalid",
    ]);
    expect(await refused(id, { step: "show", credential: agent })).toEqual([
      403,
      "consent.approver_not_operator",
    ]);
  });

  test("an unknown request and another tenant's with the same bytes: consent.not_found", async () => {
    const { id } = await requested();
    const elsewhere = await service.mint({ ...OPERATOR, tenant: "t2" });
    const [theirs, unknown, odd] = await Promise.all(
      [id, UNKNOWN, "x"].map((one) => submit(one, { step: "show", credential: elsewhere })),
    );
    expect(unknown?.status).toBe(404);
    expect(theirs?.text).toBe(unknown?.text);
    expect(odd?.text).toBe(unknown?.text);
  });

  test("another digest than the stored one, and the requester's own principal", async () => {
    const { id, digest } = await requested();
    const same = await service.mint({ ...OPERATOR, actor: "op:3", principal: "team:a" });
    const fields = { step: "approve", digest, reason: "r", credential: operator };
    expect(await refused(id, { ...fields, digest: "0".repeat(64) })).toEqual([
      409,
      "consent.digest_mismatch",
    ]);
    expect(await refused(id, { ...fields, credential: same })).toEqual([
      403,
      "consent.self_approval",
    ]);
  });

  test("a second decision, with the state that it found: consent.decided, consent.declined", async () => {
    const [approved, declined] = [await requested(), await requested()];
    await decided(approved, "approve");
    for (const step of ["approve", "decline"] as const) {
      const { status, text } = await decided(approved, step);
      expect(status).toBe(409);
      expect(text).toContain('<code id="code">consent.decided</code>');
      expect(text).toContain('<strong id="state">approved</strong>');
      expect(text).not.toContain("agent:1");
    }
    await decided(declined, "decline");
    expect((await decided(declined, "approve")).text).toContain(
      '<code id="code">consent.declined</code>',
    );
  });

  test("and logs no credential", () => {
    const log = JSON.stringify(service.events);
    expect(log).toContain('"route":"/consents/:id"');
    for (const token of [agent, operator]) expect(log).not.toContain(token.slice(-43));
  });
});

async function asJson(answer: Promise<unknown>): Promise<Parameters<typeof objectIn>[0]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsed body is JSON
  return (await answer) as Parameters<typeof objectIn>[0];
}
