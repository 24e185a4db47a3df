import { createHash, randomBytes } from "node:crypto";
import {
  type AuthorizationServer,
  CLIENT_ID,
  REDIRECT_URI,
  visit,
} from "./authorization-server.ts";

/** What a flow sends; a leg without `resource` sends none. */
export interface Flow {
  readonly authorizationResource?: string;
  readonly tokenResource?: string;
  readonly scope?: string;
}

/** What a flow got, and the exact bytes that both legs sent. */
export interface FlowResult {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly accessToken: string;
  readonly sent: { readonly authorization: string; readonly token: string };
}

/** An authorization code flow with PKCE (S256), state and issuer check, driven by fetch alone. */
export async function runFlow(server: AuthorizationServer, flow: Flow): Promise<FlowResult> {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const query = form({
    client_id: CLIENT_ID,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: flow.scope ?? "bellona:read",
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: flow.authorizationResource,
  });
  const callback = await visit(`${server.issuer}/auth?${query}`);
  if (callback.get("state") !== state || callback.get("iss") !== server.issuer)
    throw new Error("another flow's answer");
  const code = callback.get("code");
  const body = form({
    grant_type: "authorization_code",
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    code: code ?? undefined,
    code_verifier: verifier,
    resource: flow.tokenResource,
  });
  const sent = { authorization: query, token: body };
  if (code === null)
    return { status: 302, body: Object.fromEntries(callback), accessToken: "", sent };
  const response = await fetch(`${server.issuer}/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  const token = answer["access_token"];
  const accessToken = typeof token === "string" ? token : "";
  return { status: response.status, body: answer, accessToken, sent };
}

function form(fields: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  return new URLSearchParams(present).toString();
}
