import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { type Refusal, isDestination } from "@eve/registry-schema";
import { type BffKeys, deriveKeys } from "../database/database.ts";
import { refuseSetting } from "./refuse.ts";

/** The variables that settings are read from. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A setting, or why it cannot be used. No refusal holds a value. */
export type Setting<T> = { readonly value: T } | { readonly refusal: Refusal };

/** Where the service listens. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_LISTEN = "127.0.0.1:4092";
const MAX_KEY_BYTES = 4096;

/** A PostgreSQL URL from the environment. */
export function databaseUrl(
  env: Env,
  name: "DATABASE_URL" | "DATABASE_OWNER_URL" | "DATABASE_SEALER_URL",
): Setting<string> {
  const value = env[name]?.trim() ?? "";
  if (value === "") return missing(name, "a postgres:// URL");
  return URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)
    ? { value }
    : invalid(name, "a postgres:// URL", "another form");
}

/** The keys derived from the file that EVE_BFF_KEY_FILE names: 32 random bytes or more. */
export function keysFrom(env: Env): Setting<BffKeys> {
  const expected = "the path of a file of 32 to 4,096 random bytes";
  const path = env["EVE_BFF_KEY_FILE"]?.trim() ?? "";
  if (path === "") return missing("EVE_BFF_KEY_FILE", expected);
  const file = readRegularFileSync(path, { maxBytes: MAX_KEY_BYTES, followsLinks: true });
  if ("fault" in file) return invalid("EVE_BFF_KEY_FILE", expected, `file ${file.fault}`);
  try {
    return { value: deriveKeys(file.bytes) };
  } catch {
    return invalid("EVE_BFF_KEY_FILE", expected, `${file.bytes.byteLength} bytes`);
  }
}

/** EVE_BFF_LISTEN as `host:port`, `[::1]:port` too; 127.0.0.1:4092 where not set. Port 0 takes a free one. */
export function listenOn(env: Env): Setting<Listen> {
  const text = env["EVE_BFF_LISTEN"]?.trim() || DEFAULT_LISTEN;
  const { host, v6, port } =
    /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<host>[A-Za-z0-9.-]+)):(?<port>\d{1,5})$/i.exec(text)?.groups ??
    {};
  const address = v6 ?? host;
  return address !== undefined && Number(port) <= 65_535
    ? { value: { host: address, port: Number(port) } }
    : invalid("EVE_BFF_LISTEN", "host:port", "another form");
}

/** EVE_BFF_PUBLIC_ORIGIN: the origin that people and workbenches reach the service at. */
export function publicOrigin(env: Env): Setting<string> {
  const expected = "an origin: https, or http for literal loopback";
  const value = env["EVE_BFF_PUBLIC_ORIGIN"]?.trim() ?? "";
  if (value === "") return missing("EVE_BFF_PUBLIC_ORIGIN", expected);
  return isDestination(value)
    ? { value }
    : invalid("EVE_BFF_PUBLIC_ORIGIN", expected, "another form");
}

const ENVIRONMENT = /^[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}$/;

/** EVE_BFF_ENVIRONMENT: the id under which the database remembers the highest registry; made of the public origin where not set. */
export function environmentId(env: Env, origin: string): Setting<string> {
  const value = env["EVE_BFF_ENVIRONMENT"]?.trim() || origin.replaceAll(/[^A-Za-z0-9.:-]+/g, "-");
  // Without an origin there is nothing to make it of, and that is refused by itself.
  return ENVIRONMENT.test(value) || value === ""
    ? { value }
    : invalid("EVE_BFF_ENVIRONMENT", "at most 128 letters, digits, . _ @ : -", "another form");
}

/** Why settings cannot be used, in order. */
export function refusalsOf(settings: readonly Setting<unknown>[]): readonly Refusal[] {
  return settings.flatMap((setting) => ("refusal" in setting ? [setting.refusal] : []));
}

/** The refusal of a setting that is not there. */
export function missing(subject: string, expected: string): { readonly refusal: Refusal } {
  return { refusal: refuseSetting("configuration.missing", subject, expected, "not set") };
}

/** The refusal of a setting of another form; `actual` must hold nothing of its value. */
export function invalid(
  subject: string,
  expected: string,
  actual: string,
): { readonly refusal: Refusal } {
  return { refusal: refuseSetting("configuration.invalid", subject, expected, actual) };
}
