import { type Refusals, refusal } from "@eve/registry-schema";
import { sha256 } from "@eve/canonical-json";

/** The codes an observation can answer. */
export type ObservationCode =
  | "protocol.framing"
  | "protocol.version_unadmitted"
  | "surface.empty"
  | "surface.pagination_invalid"
  | "surface.too_large"
  | "surface.unavailable";

/** What an observation answers instead of a surface. */
export interface Refused {
  readonly ok: false;
  readonly refusals: Refusals;
}

/** Makes the refusals of one observation; `actual` is a count, a code or words of ours, never the server's text. */
export type Refuse = (
  code: ObservationCode,
  at: { subject: string; expected: string; actual: string },
) => Refused;

/** The {@link Refuse} of an observation of `integration` (`null` where the server is no entry yet). */
export function refuserFor(integration: string | null): Refuse {
  return (code, at) => ({ ok: false, refusals: [refusal(code, { integration, ...at })] });
}

/** A protocol version that a server named, if it has a version's form; else its digest. */
export function printableVersion(version: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(version)
    ? version
    : `<unprintable version, sha256 ${sha256(version)}>`;
}
