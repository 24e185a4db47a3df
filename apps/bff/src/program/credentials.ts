import { type Instant, isRefused } from "@eve/registry-schema";
import {
  type CredentialClass,
  listCredentials,
  mintCredential,
  type Realm,
  revokeCredential,
} from "../database/database.ts";
import type { Io } from "./io.ts";
import { refuse } from "./refuse.ts";
import { writeSecretFile } from "./secret-file.ts";
import { databaseUrl, keysFrom, refusalsOf } from "./settings.ts";

/** The options of `bff credentials mint`. */
export interface CredentialFlags {
  readonly class: CredentialClass;
  readonly realm: Realm;
  readonly principal: string;
  readonly actor: string;
  readonly tenant: string;
  readonly scope: readonly string[];
  readonly expires: Instant;
  readonly to?: string;
}

/** Mints a credential and shows its bearer once: in a new 0600 file, whose path is told, or on stdout. */
export async function mint(flags: CredentialFlags, io: Io): Promise<number> {
  const [url, keys] = [databaseUrl(io.env, "DATABASE_OWNER_URL"), keysFrom(io.env)];
  const refusals = refusalsOf([url, keys]);
  if (isRefused(refusals)) return refuse(refusals, io);
  if (!("value" in url && "value" in keys)) throw new TypeError("a missing setting is refused");
  const { to, scope, expires, ...request } = flags;
  const make = (): Promise<string> =>
    mintCredential(url.value, keys.value, { ...request, scopes: scope, expiresAt: expires });
  if (to === undefined) io.stdout(`${await make()}\n`);
  else {
    await writeSecretFile(to, make);
    io.stdout(`${JSON.stringify({ event: "bff.credential_minted", file: to })}\n`);
  }
  return 0;
}

/** Tells each credential as a JSON line, oldest first: never its bearer or what is stored of it. */
export async function list(io: Io): Promise<number> {
  const url = databaseUrl(io.env, "DATABASE_OWNER_URL");
  if ("refusal" in url) return refuse([url.refusal], io);
  for (const credential of await listCredentials(url.value))
    io.stdout(`${JSON.stringify(credential)}\n`);
  return 0;
}

/** Revokes a credential, once however often it is told to; `undefined` where no credential has this id. */
export async function revoke(id: string, io: Io): Promise<number | undefined> {
  const url = databaseUrl(io.env, "DATABASE_OWNER_URL");
  if ("refusal" in url) return refuse([url.refusal], io);
  const revokedAt = await revokeCredential(url.value, id);
  if (revokedAt === undefined) return undefined;
  io.stdout(`${JSON.stringify({ event: "bff.credential_revoked", id, revokedAt })}\n`);
  return 0;
}
