import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { errors, Provider } from "oidc-provider";
import { freePort } from "./kit.ts";

/** One leg of a flow as the authorization server understood it. */
export interface Leg {
  readonly leg: "authorization" | "token";
  readonly resource: unknown;
}

/** A real authorization server in process. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** What each authorization and token request named as resource, in order. */
  readonly legs: readonly Leg[];
  readonly jwksUrl: string;
  close(): Promise<void>;
}

/** The one public client, and where its codes go; nothing listens there. */
export const CLIENT_ID = "eve-client";
export const REDIRECT_URI = "http://127.0.0.1:9/callback";

/**
 * Starts oidc-provider with resource indicators (RFC 8707): it issues `at+jwt` for the named resources alone, with
 * exactly the named one as audience, for five minutes. Login and consent are given by visiting them.
 */
export async function startAuthorizationServer(
  resources: readonly string[],
  legs: Leg[] = [],
): Promise<AuthorizationServer> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = await providerOf(issuer, resources);
  provider.use(async (ctx, next) => {
    await next();
    const oidc: { route?: unknown; params?: { resource?: unknown } } | undefined = ctx["oidc"];
    const route = oidc?.route;
    if (route === "authorization" || route === "token")
      legs.push({ leg: route, resource: oidc?.params?.resource });
  });
  const serveOidc = provider.callback();
  const server = createServer((request, response) => {
    const served = request.url?.startsWith("/interaction/")
      ? agree(provider, request, response)
      : serveOidc(request, response);
    served.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    issuer,
    legs,
    jwksUrl: `${issuer}/jwks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function providerOf(issuer: string, resources: readonly string[]): Promise<Provider> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "as-1", alg: "ES256", use: "sig" }] },
    cookies: { keys: ["of this test"] },
    clients: [
      {
        client_id: CLIENT_ID,
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: [REDIRECT_URI],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 300, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => false,
        getResourceServerInfo: (_, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return {
            scope: "bellona:read",
            audience: resource,
            accessTokenTTL: 300,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "ES256" } },
          };
        },
      },
    },
  });
}

/** Logs in, and consents to exactly what is asked. */
async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login")
    return provider.interactionFinished(request, response, { login: { accountId: "agent-1" } });
  const grant = new provider.Grant({
    clientId: String(params["client_id"]),
    accountId: session?.accountId ?? "",
  });
  const scope = String(params["scope"]);
  if (typeof params["resource"] === "string") grant.addResourceScope(params["resource"], scope);
  else grant.addOIDCScope(scope);
  const grantId = await grant.save();
  return provider.interactionFinished(request, response, { consent: { grantId } });
}

/** Follows an authorization URL as a browser does, cookies and all, and answers the callback's parameters. */
export async function visit(authorizationUrl: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    // oxlint-disable-next-line no-await-in-loop -- each hop names the next
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`no redirect but ${response.status}`);
    url = new URL(location, url).href;
    if (url.startsWith(REDIRECT_URI)) return new URL(url).searchParams;
  }
  throw new Error("a redirect without end");
}
