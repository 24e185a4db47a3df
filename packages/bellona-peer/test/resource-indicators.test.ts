import {
  Client,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as UnauthorizedErrorV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { httpKeyFetcher, type ServedBellona } from "../src/index.ts";
import {
  type AuthorizationServer,
  CLIENT_ID,
  type Leg,
  REDIRECT_URI,
  startAuthorizationServer,
  visit,
} from "./authorization-server.ts";
import { freePort, postTo, startBellona } from "./kit.ts";
import { runFlow } from "./oauth-flow.ts";

let resource: string;
let other: string;
let server: AuthorizationServer;
let bellona: ServedBellona;
const legs: Leg[] = [];

beforeAll(async () => {
  resource = `http://127.0.0.1:${await freePort()}/mcp`;
  other = `${resource}/`;
  server = await startAuthorizationServer([resource, other, "https://other.example/mcp"], legs);
  // A real issuer stamps real times.
  bellona = await startBellona({
    resource,
    issuer: server.issuer,
    jwks: httpKeyFetcher(server.jwksUrl),
    now: Date.now,
  });
});
afterAll(() => Promise.all([bellona.close(), server.close()]));
beforeEach(() => {
  legs.length = 0;
});

const both = (named: string): Leg[] => [
  { leg: "authorization", resource: named },
  { leg: "token", resource: named },
];
const inHeader = (token: string) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});

describe("one resource identifier on both legs, and a token for it alone (ADR-0092-406)", () => {
  it("TD-20 the same bytes are sent on the authorization and the token leg, and are the audience (MUST-CL-05)", async () => {
    const flow = await runFlow(server, {
      authorizationResource: resource,
      tokenResource: resource,
    });
    expect(flow.status).toBe(200);
    expect(legs).toEqual(both(resource));
    const encoded = `resource=${encodeURIComponent(resource)}`;
    for (const sent of Object.values(flow.sent)) expect(sent.split("&")).toContain(encoded);
    expect(decodeProtectedHeader(flow.accessToken)).toEqual({
      alg: "ES256",
      typ: "at+jwt",
      kid: "as-1",
    });
    const claims = decodeJwt(flow.accessToken);
    expect(claims).toMatchObject({
      aud: resource,
      iss: server.issuer,
      sub: "agent-1",
      client_id: CLIENT_ID,
      scope: "bellona:read",
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
    const response = await postTo(bellona.url, flow.accessToken);
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it("TD-20 another resource on the token leg gets no token: invalid_target", async () => {
    const flow = await runFlow(server, { authorizationResource: resource, tokenResource: other });
    expect([flow.status, flow.body["error"], flow.accessToken]).toEqual([
      400,
      "invalid_target",
      "",
    ]);
  });

  it("a resource that nobody registered gets no code: invalid_target", async () => {
    const unknown = "https://unknown.example/mcp";
    const flow = await runFlow(server, { authorizationResource: unknown, tokenResource: unknown });
    expect([flow.status, flow.body["error"], flow.accessToken]).toEqual([
      302,
      "invalid_target",
      "",
    ]);
  });

  it("TD-20 a token that was asked for no resource does not open Bellona: 401", async () => {
    const flow = await runFlow(server, { scope: "openid" });
    expect(flow.status).toBe(200);
    expect(flow.accessToken).not.toBe("");
    for (const token of [flow.accessToken, flow.body["id_token"]]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await postTo(bellona.url, String(token));
      expect(response.status).toBe(401);
    }
  });

  it.each([
    ["TA-01 another server", () => "https://other.example/mcp"],
    ["TA-04 this URL with a slash", () => other],
  ])(
    "%s: a real token of the same issuer is refused on the wire: 401 (ADR-0092-405)",
    async (_, audience) => {
      const named = audience();
      const flow = await runFlow(server, { authorizationResource: named, tokenResource: named });
      expect(decodeJwt(flow.accessToken).aud).toBe(named);
      const response = await postTo(bellona.url, flow.accessToken);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
      expect(await response.json()).toMatchObject({ code: "auth.token_invalid" });
      const client = new Client({ name: "test", version: "1" });
      const transport = new StreamableHTTPClientTransport(
        new URL(bellona.url),
        inHeader(flow.accessToken),
      );
      await expect(client.connect(transport)).rejects.toThrow(/401|token/i);
    },
  );
});

interface CommonClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}
const PINGED = { names: ["bellona_ping"], answer: { structuredContent: { nonce: "n-1" } } };
async function pinged(client: CommonClient): Promise<{ names: string[]; answer: unknown }> {
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "bellona_ping", arguments: { nonce: "n-1" } });
  return { names: tools.map(({ name }) => name), answer };
}
async function accessToken(): Promise<string> {
  const flow = { authorizationResource: resource, tokenResource: resource };
  return (await runFlow(server, flow)).accessToken;
}

/** What a client remembers between its two visits. */
function memory() {
  let verifier = "";
  let tokens: { access_token: string; token_type: string } | undefined;
  let redirectedTo: URL | undefined;
  let discovered: OAuthDiscoveryState | undefined;
  return {
    redirectUrl: REDIRECT_URI,
    clientMetadata: { redirect_uris: [REDIRECT_URI], client_name: "test" },
    clientInformation: () => ({ client_id: CLIENT_ID }),
    tokens: () => tokens,
    saveTokens: (saved: { access_token: string; token_type: string }) => {
      tokens = saved;
    },
    redirectToAuthorization: (url: URL) => {
      redirectedTo = url;
    },
    saveCodeVerifier: (text: string) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    discoveryState: () => discovered,
    saveDiscoveryState: (state: OAuthDiscoveryState) => {
      discovered = state;
    },
    visited: () => visit(String(redirectedTo)),
  };
}

describe("the official clients with an exact-audience token (ADR-0092-405, ADR-0092-102)", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });

  it.each<["legacy" | "auto" | { pin: string }, string]>([
    ["legacy", "2025-11-25"],
    ["auto", "2026-07-28"],
    [{ pin: "2026-07-28" }, "2026-07-28"],
  ])("2.x in mode %j lists and calls bellona_ping", async (mode, version) => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    open.push(client);
    const transport = new StreamableHTTPClientTransport(
      new URL(bellona.url),
      inHeader(await accessToken()),
    );
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(await pinged(client)).toMatchObject(PINGED);
  });

  it("1.x lists and calls bellona_ping", async () => {
    const client = new ClientV1({ name: "test", version: "1" });
    open.push(client);
    const transport = new TransportV1(new URL(bellona.url), inHeader(await accessToken()));
    await client.connect(transport);
    expect(await pinged(client)).toMatchObject(PINGED);
  });

  it("TD-20 2.x by itself: challenge, metadata, both legs with the same resource, then bellona_ping", async () => {
    const authProvider = memory();
    const first = new StreamableHTTPClientTransport(new URL(bellona.url), { authProvider });
    const connecting = new Client({ name: "test", version: "1" }).connect(first);
    await expect(connecting).rejects.toThrow(UnauthorizedError);
    await first.finishAuth(await authProvider.visited());
    expect(legs).toEqual(both(resource));
    expect(decodeJwt(authProvider.tokens()?.access_token ?? "").aud).toBe(resource);
    const client = new Client({ name: "test", version: "1" });
    open.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(bellona.url), { authProvider }));
    expect(await pinged(client)).toMatchObject(PINGED);
  });

  it("TD-20 1.x by itself: challenge, metadata, both legs with the same resource, then bellona_ping", async () => {
    const authProvider = memory();
    const first = new TransportV1(new URL(bellona.url), { authProvider });
    const connecting = new ClientV1({ name: "test", version: "1" }).connect(first);
    await expect(connecting).rejects.toThrow(UnauthorizedErrorV1);
    await first.finishAuth((await authProvider.visited()).get("code") ?? "");
    expect(legs).toEqual(both(resource));
    const client = new ClientV1({ name: "test", version: "1" });
    open.push(client);
    const second = new TransportV1(new URL(bellona.url), { authProvider });
    await client.connect(second);
    expect(await pinged(client)).toMatchObject(PINGED);
  });
});
