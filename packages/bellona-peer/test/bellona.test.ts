import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RefusedCode, type ServedBellona } from "../src/index.ts";
import { ISSUER, LIST, mint, postTo, raw, rawPost, startBellona, statusOf } from "./kit.ts";

let bellona: ServedBellona;
let token: string;
const refused: RefusedCode[] = [];
beforeAll(async () => {
  bellona = await startBellona({ onRefused: (code) => refused.push(code) });
  token = await mint(bellona.url);
});
afterAll(() => bellona.close());

const open: ServedBellona[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function another(change: Parameters<typeof startBellona>[0]): Promise<[string, string]> {
  const server = await startBellona(change);
  open.push(server);
  return [server.url, await mint(server.url)];
}

const metadataUrl = (): string =>
  bellona.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
const host = (): string => `host: ${new URL(bellona.url).host}`;
const auth = (): string => `authorization: Bearer ${token}`;
const call = (message: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
const ping = (args: unknown): string =>
  call({ method: "tools/call", params: { name: "bellona_ping", arguments: args } });

/** The message in a JSON body or in the one event of a stream. */
async function messageOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const message: Record<string, unknown> = JSON.parse(json);
  return message;
}

describe("metadata of the protected resource (MUST-RS-01 to 03, ADR-0092-405)", () => {
  it("are at the path-aware well-known URI, with resource byte-equal to the URL", async () => {
    const response = await fetch(metadataUrl());
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      resource: bellona.url,
      authorization_servers: [ISSUER],
      scopes_supported: ["bellona:read"],
      bearer_methods_supported: ["header"],
      resource_name: "Bellona, Eve's reference peer",
    });
  });

  it.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/",
    "/.well-known/oauth-protected-resource/MCP",
    "/.well-known/oauth-protected-resource/mcp/",
    "/.well-known/oauth-protected-resource/mcp/x",
    "/.well-known/oauth-protected-resource/%6dcp",
    "/.well-known/oauth-protected-resource//mcp",
    "/mcp/.well-known/oauth-protected-resource",
    "/.well-known/oauth-authorization-server",
  ])("are not at %s: 404", async (path) => {
    const lines = [`GET ${path} HTTP/1.1`, host(), "connection: close", "", ""];
    expect(statusOf(await raw(bellona.url, lines.join("\r\n")))).toBe(404);
  });
});

describe("the 401 challenge", () => {
  it("TH-01 without a credential names the metadata and the scope, and no error (MUST-RS-11)", async () => {
    const response = await postTo(bellona.url, undefined);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer scope="bellona:read", resource_metadata="${metadataUrl()}"`,
    );
    expect(await response.json()).toMatchObject({ code: "auth.token_missing" });
  });

  it("TH-02 a token in the query is no credential, and is told nowhere", async () => {
    const response = await postTo(`${bellona.url}?access_token=${token}`, undefined);
    expect(response.status).toBe(401);
    const text = `${await response.text()}${JSON.stringify([...response.headers])}`;
    expect(text).toContain("auth.token_missing");
    expect(text).not.toContain(token);
    expect(JSON.stringify(refused)).not.toContain(token);
  });

  it("TH-02 a token in the query beside a good one: 400", async () => {
    const response = await postTo(`${bellona.url}?x=1&access_token=y`, token);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "auth.request_invalid" });
  });

  it.each([
    [
      "good, bad",
      (good: string) => [`authorization: Bearer ${good}`, "authorization: Bearer a.b.c"],
    ],
    [
      "bad, good",
      (good: string) => ["Authorization: Bearer a.b.c", `AUTHORIZATION: Bearer ${good}`],
    ],
    [
      "good, good",
      (good: string) => [`authorization: Bearer ${good}`, `authorization: Bearer ${good}`],
    ],
  ])("TH-04 two Authorization headers (%s): 400", async (_, lines) => {
    const answer = await raw(bellona.url, rawPost(bellona.url, [host(), ...lines(token)]));
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain("auth.request_invalid");
    expect(answer).not.toContain(token);
  });

  it.each([
    ["TH-05 two bearers in one header", (good: string) => `Bearer ${good}, Bearer bad`],
    ["TH-05 bad first", (good: string) => `Bearer bad, Bearer ${good}`],
    ["TH-07 Basic", () => "Basic dXNlcjpwYXNz"],
    ["TH-07 an empty bearer", () => "Bearer "],
    ["TH-07 a tab", (good: string) => `Bearer\t${good}`],
    ["TH-07 two spaces", (good: string) => `Bearer  ${good}`],
    ["TH-07 the token alone", (good: string) => good],
    ["a token of 9,000 characters", () => `Bearer ${"a".repeat(8_990)}.b.c`],
  ])("%s: 401", async (_, value) => {
    const lines = [host(), `authorization: ${value(token)}`];
    const answer = await raw(bellona.url, rawPost(bellona.url, lines));
    expect(statusOf(answer)).toBe(401);
    expect(answer).toContain('error="invalid_token"');
    expect(answer).not.toContain(token);
  });

  it("TH-08 a bearer in the trailer: 401", async () => {
    const lines = [
      "POST /mcp HTTP/1.1",
      host(),
      "content-type: application/json",
      "transfer-encoding: chunked",
      "trailer: authorization",
      "connection: close",
      "",
      `${Buffer.byteLength(LIST).toString(16)}\r\n${LIST}`,
      "0",
      auth(),
      "",
      "",
    ];
    expect(statusOf(await raw(bellona.url, lines.join("\r\n")))).toBe(401);
  });

  it("TH-10 a session id of someone else gives nothing and takes nothing", async () => {
    const session = { "mcp-session-id": "session-of-another" };
    expect((await postTo(bellona.url, undefined, LIST, session)).status).toBe(401);
    const served = await postTo(bellona.url, token, LIST, session);
    expect(served.status).toBe(200);
    expect(served.headers.has("mcp-session-id")).toBe(false);
    await served.body?.cancel();
  });

  it("a scheme in another case is the same scheme (RFC 9110, 11.1): POS", async () => {
    const lines = [
      host(),
      `authorization: bearer ${token}`,
      "accept: application/json, text/event-stream",
    ];
    expect(statusOf(await raw(bellona.url, rawPost(bellona.url, lines)))).toBe(200);
  });
});

describe("Host and Origin (MUST-RS-12)", () => {
  it.each([
    ["TX-01 another host", ["host: evil.example"]],
    ["TX-02 with userinfo", ["host: evil@127.0.0.1"]],
    ["TX-02 with a fragment", ["host: 127.0.0.1#evil"]],
    ["TX-02 with a path", ["host: 127.0.0.1/evil"]],
    ["another port", ["host: 127.0.0.1:1"]],
    ["a name of the same address", ["host: localhost"]],
  ])("%s: 403 or 400", async (_, lines) => {
    const answer = await raw(bellona.url, rawPost(bellona.url, [...lines, auth()]));
    expect([400, 403]).toContain(statusOf(answer));
  });

  it("two hosts, one of them right: refused", async () => {
    const lines = [host(), "host: evil.example", auth()];
    expect([400, 403]).toContain(statusOf(await raw(bellona.url, rawPost(bellona.url, lines))));
  });

  it.each([
    ["another origin", "https://evil.example"],
    ["TX-04 another port", "http://127.0.0.1:9999"],
    ["TX-04 another scheme", "SELF-HTTPS"],
    ["TX-05 null", "null"],
    ["a name of the same address", "http://localhost:4093"],
    ["empty", ""],
  ])("%s: 403, also with a good token", async (_, value) => {
    const { origin } = new URL(bellona.url);
    const sent = value === "SELF-HTTPS" ? origin.replace("http", "https") : value;
    const answer = await raw(
      bellona.url,
      rawPost(bellona.url, [host(), auth(), `origin: ${sent}`]),
    );
    expect(statusOf(answer)).toBe(403);
    expect(answer).toContain("request.origin_refused");
  });

  it("its own origin, and one that is allowed: POS", async () => {
    const own = await postTo(bellona.url, token, LIST, { origin: new URL(bellona.url).origin });
    expect(own.status).toBe(200);
    await own.body?.cancel();
    const [url, good] = await another({ allowedOrigins: ["https://console.eve.example"] });
    const allowed = await postTo(url, good, LIST, { origin: "https://console.eve.example" });
    expect(allowed.status).toBe(200);
    await allowed.body?.cancel();
  });

  it("metadata are guarded too: 403", async () => {
    expect((await fetch(metadataUrl(), { headers: { origin: "null" } })).status).toBe(403);
  });
});

describe("paths, methods and media types", () => {
  it.each(["/MCP", "/mcp/", "//mcp", "/mcp%2f", "/mcp/../mcp", "/%6dcp", "/mcp/x", "/", "/mcp;x"])(
    "TX-17 %s: 404",
    async (path) => {
      const request = rawPost(bellona.url, [host(), auth()]).replace("/mcp", path);
      expect(statusOf(await raw(bellona.url, request))).toBe(404);
    },
  );

  it.each(["GET", "DELETE", "HEAD", "PUT", "PATCH", "OPTIONS"])(
    "%s with a good token: 405 naming POST; without one: 401 (MUST-RS-17, MUST-RS-10)",
    async (method) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(bellona.url, { method, headers });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      expect((await fetch(bellona.url, { method })).status).toBe(401);
    },
  );

  it.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["application/json5", { "content-type": "application/json5" }],
    ["another charset", { "content-type": "application/json; charset=utf-16" }],
    ["two types", { "content-type": "application/json, text/plain" }],
    ["gzip", { "content-encoding": "gzip" }],
  ])("TX-07 %s: 415", async (_, headers) => {
    const response = await postTo(bellona.url, token, LIST, headers);
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: "request.unsupported_media_type" });
  });

  it("TX-07 no media type: 415", async () => {
    const request = rawPost(bellona.url, [host(), auth()]).replace(/content-type: .*\r\n/, "");
    expect(statusOf(await raw(bellona.url, request))).toBe(415);
  });
});

describe("the body", () => {
  const tokenless = { jsonrpc: "2.0", id: 1, method: "tools/list" };

  it.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
    ["TX-10 a batch", JSON.stringify(Array.from({ length: 100 }, () => tokenless)), -32_600],
    ["TX-10 a batch of one", JSON.stringify([tokenless]), -32_600],
    ["TX-11 method twice", LIST.replace("{", '{"method":"ping",'), -32_700],
    ["TX-11 params twice", LIST.replace("{", '{"params":{},'), -32_700],
    [
      "TX-11 a name twice, once escaped",
      LIST.replace("{", String.raw`{"m\u0065thod":"ping",`),
      -32_700,
    ],
    [
      "TX-11 arguments twice",
      ping({ nonce: "a" }).replace('"arguments":', '"arguments":{},"arguments":'),
      -32_700,
    ],
    ["Method beside method", LIST.replace("{", '{"Method":"ping",'), -32_600],
    ["__proto__", LIST.replace("{}", '{"__proto__":{}}'), -32_700],
    [
      "TX-13 50,000 arrays",
      LIST.replace("{}", `{"x":${"[".repeat(25_000)}${"]".repeat(25_000)}}`),
      -32_700,
    ],
    ["invalid UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), -32_700],
    ["a byte order mark", `\u{FEFF}${LIST}`, -32_700],
    ["a bare CR", LIST.replace(",", ",\r"), -32_700],
    ["an integer that no double holds", LIST.replace('"id":1', '"id":9007199254740993'), -32_700],
    ["nothing", "", -32_700],
    ["no object", "1", -32_600],
    ["another jsonrpc", LIST.replace("2.0", "1.0"), -32_600],
  ])("%s: 400", async (_, body, code) => {
    const response = await postTo(bellona.url, token, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  });

  it("TX-14 too large, with a length or without: 413", async () => {
    const body = `${LIST}${" ".repeat(65_536)}`;
    const response = await postTo(bellona.url, token, body);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "request.too_large" });
    const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
    const request = rawPost(bellona.url, [host(), auth()])
      .replace(/content-length: \d+/, "transfer-encoding: chunked")
      .replace(LIST, `${chunk.repeat(5)}0\r\n\r\n`);
    expect(statusOf(await raw(bellona.url, request))).toBe(413);
  });

  it.each([
    ["a length and chunks", ["transfer-encoding: chunked"]],
    ["two lengths", ["content-length: 1"]],
    ["a folded header", ["x-a: 1", " folded"]],
    ["NUL in a header", ["x-a: 1\u00002"]],
    ["a bare LF", ["x-a: 1\nx-b: 2"]],
  ])("TX-16 %s: 400 and closed", async (_, lines) => {
    const answer = await raw(bellona.url, rawPost(bellona.url, [host(), auth(), ...lines]));
    expect(statusOf(answer)).toBe(400);
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  });

  it("is not read where the caller is not known", async () => {
    const request = rawPost(bellona.url, [host()]).replace(
      /content-length: \d+/,
      "content-length: 60000",
    );
    expect(statusOf(await raw(bellona.url, request))).toBe(401);
  });
});

describe("headers of the modern era", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const list = call({ method: "tools/list", params: { _meta: meta } });
  const right = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };

  it("that agree with the body are served: POS", async () => {
    const response = await postTo(bellona.url, token, list, right);
    expect(await messageOf(response)).toMatchObject({
      result: { tools: [{ name: "bellona_ping" }] },
    });
  });

  it.each([
    ["TX-08 another version", { ...right, "mcp-protocol-version": "2025-11-25" }],
    ["TX-08 another method", { ...right, "mcp-method": "tools/call" }],
    ["TX-08 no version", { "mcp-method": "tools/list" }],
    ["TX-08 no method", { "mcp-protocol-version": "2026-07-28" }],
  ])("%s: 400, -32020 (MUST-RS-14, MUST-RS-15)", async (_, headers) => {
    const response = await postTo(bellona.url, token, list, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_020 } });
  });

  it("an unknown method: 404, -32601 (MUST-RS-16)", async () => {
    const body = call({ method: "no/such", params: { _meta: meta } });
    const response = await postTo(bellona.url, token, body, { ...right, "mcp-method": "no/such" });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: -32_601 } });
  });

  it("TX-19 no listener's stream stays open, and listeners count as callers: 429", async () => {
    const [url, good] = await another({ rateLimits: { perSubject: 10 } });
    const listen = call({
      method: "subscriptions/listen",
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    });
    const headers = { ...right, "mcp-method": "subscriptions/listen" };
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await postTo(url, good, listen, headers);
        // Resolves only because the stream ends by itself.
        await response.text();
        return response.status;
      }),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      429,
      429,
    ]);
  });
});

describe("bellona_ping", () => {
  it.each(["a", "N0nce_-9", "x".repeat(128)])("echoes %s", async (nonce) => {
    const message = await messageOf(await postTo(bellona.url, token, ping({ nonce })));
    expect(message["result"]).toMatchObject({
      structuredContent: { nonce },
      content: [{ type: "text", text: JSON.stringify({ nonce }) }],
    });
  });

  it.each([
    ["no nonce", {}],
    ["a nonce that is no text", { nonce: 1 }],
    ["an empty nonce", { nonce: "" }],
    ["a nonce too long", { nonce: "x".repeat(129) }],
    ["other characters", { nonce: "a b" }],
    ["a line break behind it", { nonce: "a\n" }],
    ["an unknown member", { nonce: "a", extra: true }],
  ])("refuses %s (MUST-RS-19)", async (_, args) => {
    const message = await messageOf(await postTo(bellona.url, token, ping(args)));
    const failed = message["error"] ?? message["result"];
    expect(JSON.stringify(failed)).toMatch(/"isError":true|-32602/);
  });

  it("is the only tool, read-only, listed alike each time (MUST-RS-25, ADR-0092-102)", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => messageOf(await postTo(bellona.url, token))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.["result"]).toMatchObject({
      tools: [
        {
          name: "bellona_ping",
          annotations: {
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
          },
          inputSchema: { additionalProperties: false, required: ["nonce"] },
        },
      ],
    });
  });
});

describe("rate limits (MUST-RS-19): 429", () => {
  it("by address, before the token is looked at", async () => {
    const [url, good] = await another({ rateLimits: { perAddress: 3 } });
    const statuses: number[] = [];
    for (const bearer of [undefined, "a.b.c", undefined, good]) {
      // oxlint-disable-next-line no-await-in-loop -- the order is what is tested
      statuses.push((await postTo(url, bearer)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    const last = await postTo(url, good);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ code: "request.rate_limited" });
  });

  it("by client and subject, whatever token they present", async () => {
    const [url] = await another({ rateLimits: { perSubject: 2 } });
    const status = async (claims: Record<string, unknown>): Promise<number> =>
      (await postTo(url, await mint(url, { claims }))).status;
    expect(await status({ jti: "1" })).toBe(200);
    expect(await status({ jti: "2" })).toBe(200);
    expect(await status({ jti: "3" })).toBe(429);
    expect(await status({ sub: "agent-2" })).toBe(200);
  });
});
