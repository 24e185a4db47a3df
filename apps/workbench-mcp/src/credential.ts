import { type Entry, type Refusal, type RefusalCode, refusal } from "@eve/registry-schema";
import { TOKEN_VARIABLE, URL_VARIABLE } from "./identity.ts";
import { isPlaceholder } from "./placeholder.ts";

/** The two settings, as the environment has them. */
export interface Settings {
  readonly url: string | undefined;
  readonly token: string | undefined;
}

/** `eve_<realm>_<class>_` and 256 random bits in base64url (DESIGN: Credentials). */
const ISSUED = /^eve_(?<realm>live|local)_(?<kind>shared|agent|operator)_[A-Za-z0-9_-]{43}$/;

/**
 * Judges URL and bearer against the entry before either is used. Answers `configuration.missing`,
 * `credential.missing|placeholder|malformed|realm_mismatch|class_refused|destination_refused`; neither the secret nor
 * any part of the URL but its origin is in an answer.
 */
export function judgeCredential(entry: Entry, { url, token }: Settings): readonly Refusal[] {
  if (isBlank(url))
    return [
      refuse(entry, "configuration.missing", URL_VARIABLE, "set", "not set"),
      ...judgeToken(entry, token),
    ];
  return [...judgeToken(entry, token), ...judgeDestination(entry, url)];
}

function judgeToken(entry: Entry, token: string | undefined): readonly Refusal[] {
  const refuseToken = (code: RefusalCode, expected: string, actual: string): readonly Refusal[] => [
    refuse(entry, code, TOKEN_VARIABLE, expected, actual),
  ];
  if (isBlank(token)) return refuseToken("credential.missing", "set", "not set");
  if (isPlaceholder(token))
    return refuseToken("credential.placeholder", "an issued credential", "a placeholder");
  const { realm, kind } = ISSUED.exec(token)?.groups ?? {};
  if (realm === undefined || kind === undefined)
    return refuseToken(
      "credential.malformed",
      "eve_<realm>_<class>_ and 43 characters",
      "another form",
    );
  const wanted = realmOf(entry);
  return [
    ...(realm === wanted
      ? []
      : refuseToken(
          "credential.realm_mismatch",
          `${wanted} (deployment ${entry.deployment})`,
          realm,
        )),
    ...(kind === "operator"
      ? refuseToken("credential.class_refused", "shared or agent", kind)
      : []),
  ];
}

/** Byte equality, so that no slash, case, port, user or path makes another destination of a listed one. */
function judgeDestination(entry: Entry, url: string): readonly Refusal[] {
  const listed = entry.credentials
    .filter(({ env }) => env === TOKEN_VARIABLE)
    .flatMap(({ destinations }) => destinations);
  if (listed.includes(url)) return [];
  const expected = listed.length === 0 ? "no destination is listed" : listed.join(", ");
  return [
    refuse(
      entry,
      "credential.destination_refused",
      URL_VARIABLE,
      expected,
      nameDestination(url, listed),
    ),
  ];
}

function nameDestination(url: string, listed: readonly string[]): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  if (origin === "null" || origin.length > 300) return "no http or https origin";
  return listed.includes(origin) ? `${origin}, but not written so` : origin;
}

function realmOf(entry: Entry): "live" | "local" {
  return entry.deployment === "production" ? "live" : "local";
}

function isBlank(value: string | undefined): value is undefined | "" {
  return value === undefined || value.trim() === "";
}

function refuse(
  entry: Entry,
  code: RefusalCode,
  subject: string,
  expected: string,
  actual: string,
): Refusal {
  return refusal(code, { integration: entry.id, subject, expected, actual });
}
