import { isJsonObject, type JsonValue, parseJson } from "@eve/canonical-json";
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from "jose";
import { BellonaError } from "./errors.ts";

/** The keys cannot be had now. */
export type KeysUnavailable = "unavailable";

/** Where the issuer's keys come from. */
export interface KeySource {
  /** The keys as they are now. Never rejects. */
  get(): Promise<JWTVerifyGetKey | KeysUnavailable>;
}

/** Reads the bytes of the issuer's key set, from wherever; a rejection is an outage. */
export type KeyFetcher = () => Promise<Uint8Array>;

/** Milliseconds that fetched keys are used; never longer, also where they cannot be fetched again. */
const KEYS_MAX_AGE_MS = 300_000;

/** Milliseconds after a failure before the issuer is asked again, so that an outage is not made worse. */
const KEYS_RETRY_MS = 5_000;

const MAX_KEY_SET_BYTES = 262_144;
const MAX_KEYS = 32;
const SECRET_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** A key source of fixed keys. Throws {@link BellonaError} `config.keys_invalid` where they are no public keys. */
export function localKeys(keySet: JSONWebKeySet): KeySource {
  const keys = createLocalJWKSet(publicKeySet(keySet));
  return { get: () => Promise.resolve(keys) };
}

/**
 * A key source that fetches: at most once at a time, and not again for five minutes. Keys older than that are never
 * used; bytes that are no strict JSON, too many, or no set of public keys are an outage (`unavailable`).
 */
export function fetchedKeys(fetchKeys: KeyFetcher, now: () => number): KeySource {
  let held: JWTVerifyGetKey | KeysUnavailable = "unavailable";
  let until = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    try {
      held = createLocalJWKSet(parseKeySet(await fetchKeys()));
      until = now() + KEYS_MAX_AGE_MS;
    } catch {
      held = "unavailable";
      until = now() + KEYS_RETRY_MS;
    } finally {
      fetching = undefined;
    }
  };

  return {
    async get() {
      if (now() >= until) {
        fetching ??= refresh();
        await fetching;
      }
      return held;
    },
  };
}

/** A fetcher of one https (or loopback) address: no redirect, five seconds, at most 256 KiB, `application/json`. */
export function httpKeyFetcher(url: string, fetchLike: typeof fetch = fetch): KeyFetcher {
  return async () => {
    const response = await fetchLike(url, {
      redirect: "error",
      credentials: "omit",
      signal: AbortSignal.timeout(5_000),
    });
    if (response.status !== 200) throw new Error(`The key set answered ${response.status}.`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > MAX_KEY_SET_BYTES) throw new Error("The key set is too large.");
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks));
  };
}

/** Parses the bytes of a key set. Throws {@link BellonaError} `config.keys_invalid`. */
export function parseKeySet(bytes: Uint8Array): JSONWebKeySet {
  const parsed = parseJson(bytes, { limits: { maxBytes: MAX_KEY_SET_BYTES, maxDepth: 8 } });
  if (!parsed.ok || !isKeySet(parsed.value)) throw invalid("is no strict JSON of a key set");
  return publicKeySet(parsed.value);
}

function isKeySet(value: JsonValue): value is { keys: JWK[] } & typeof value {
  return isJsonObject(value) && Array.isArray(value["keys"]) && value["keys"].every(isJsonObject);
}

/** Each key public, with a `kid` of its own: a shared or private key could make what it should only check. */
function publicKeySet({ keys }: JSONWebKeySet): JSONWebKeySet {
  if (keys.length === 0 || keys.length > MAX_KEYS) throw invalid(`has not 1 to ${MAX_KEYS} keys`);
  if (keys.some((key) => key.kty === "oct" || SECRET_MEMBERS.some((name) => name in key)))
    throw invalid("has a key that is not public");
  const ids = keys.map(({ kid }) => kid);
  if (ids.some((kid) => typeof kid !== "string") || new Set(ids).size !== ids.length)
    throw invalid("has keys without a kid of their own");
  return { keys };
}

function invalid(what: string): BellonaError {
  return new BellonaError("config.keys_invalid", `The key set ${what}.`);
}
