import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type BffKeys, type CredentialRequest, deriveKeys, mintCredential } from "@eve/bff";
import { keepSecret, writeSecret } from "./secret-file.ts";

/** A bearer and the 0600 file that holds it. Only the path is ever shown. */
interface Credential {
  readonly bearer: string;
  readonly file: string;
}

/** The credentials of one run. */
export interface Credentials {
  readonly agent: Credential;
  readonly operator: Credential;
}

/** Whom they are for: an agent of one team, an operator of another, in one tenant. */
export const TENANT = "quickstart";
const AGENT = { principal: "team:workbench-users", actor: "agent:quickstart" };
const OPERATOR = { principal: "team:operators", actor: "operator:quickstart" };
const LIFETIME_MS = 12 * 3_600_000;
const KEY_BYTES = 32;

/** The backend's key file in `folder`, made where there is none, and the keys derived from it. */
export function backendKeys(folder: string): { readonly file: string; readonly keys: BffKeys } {
  const file = join(folder, "bff.key");
  return { file, keys: deriveKeys(keepSecret(file, () => randomBytes(KEY_BYTES))) };
}

/** Mints the agent's and the operator's credential for this run, twelve hours from `now` (epoch ms), into `folder`. */
export async function mintCredentials(
  ownerUrl: string,
  keys: BffKeys,
  folder: string,
  now: number,
): Promise<Credentials> {
  const mint = async (
    request: Pick<CredentialRequest, "class" | "principal" | "actor" | "scopes">,
  ): Promise<Credential> => {
    const bearer = await mintCredential(ownerUrl, keys, {
      ...request,
      realm: "local",
      tenant: TENANT,
      expiresAt: new Date(now + LIFETIME_MS),
    });
    return { bearer, file: writeSecret(join(folder, `${request.class}.bearer`), bearer) };
  };
  const scopes = ["workbench:read", "workbench:write", "workbench:publish"];
  const [agent, operator] = await Promise.all([
    mint({ class: "agent", ...AGENT, scopes }),
    mint({ class: "operator", ...OPERATOR, scopes: [] }),
  ]);
  return { agent, operator };
}
