import {
  isJsonArray,
  isJsonObject,
  framedDigest,
  type JsonObject,
  type JsonValue,
  type Sha256,
} from "@eve/canonical-json";
import { byText } from "./by-text.ts";

/** The digests of entries that stay what they are, once they were asked for. */
const remembered = new WeakMap<JsonObject, Partial<Record<"entry" | "subject", Sha256>>>();

/** From now on computes the digests that each call asks for once. Only for an entry that is deeply frozen. */
export function rememberDigests(raw: JsonObject): void {
  remembered.set(raw, {});
}

/**
 * Digest of an entry without what may change while a program runs: lifecycle state, statuses, dates and their
 * evidence. Domain `eve/entry/1` over the RFC 8785 form of the rest; a program whose entry has another digest must be
 * admitted again (`entry.changed`).
 */
export function entryDigest(raw: JsonObject): Sha256 {
  const known = remembered.get(raw);
  return known ? (known.entry ??= computeEntryDigest(raw)) : computeEntryDigest(raw);
}

function computeEntryDigest(raw: JsonObject): Sha256 {
  const { lifecycle, health: _health, evaluation: _evaluation, review, ...rest } = raw;
  return framedDigest("eve/entry/1", {
    ...rest,
    lifecycle: pick(lifecycle, ["reason"]),
    review: pick(review, ["basis", "reviewer", "subject"]),
  });
}

/** The fields of an entry that an owner review decides and that nothing measures. */
const REVIEWED = [
  "kind",
  "origin",
  "deployment",
  "riskClass",
  "permissions",
  "credentials",
  "configuration",
  "destinations",
  "textExceptions",
] as const;

/**
 * Digest of what an owner review decides: kind, origin, deployment, owner team, source folder, risk classes, permissions,
 * credentials, configuration, destinations with data classes, exceptions for hidden text, and each tool's class and permissions. Domain
 * `eve/review-subject/1`. The entry's review states it, so that one edit without a review is `review.subject_changed`.
 */
export function reviewSubject(raw: JsonObject): Sha256 {
  const known = remembered.get(raw);
  return known ? (known.subject ??= computeReviewSubject(raw)) : computeReviewSubject(raw);
}

function computeReviewSubject(raw: JsonObject): Sha256 {
  const tools = isJsonArray(raw["tools"]) ? raw["tools"] : [];
  return framedDigest("eve/review-subject/1", {
    ...pick(raw, REVIEWED),
    owner: pick(raw["owner"], ["team"]),
    source: pick(raw["source"], ["path"]),
    tools: tools.map((tool) => pick(tool, ["name", "riskClass", "permissions"])),
  });
}

/**
 * Digest of how an entry's server is launched or reached, and for a third party of what is launched: domain
 * `eve/launch/1`. An observation is held against the entry, so the entry itself is held against its review.
 */
export function reviewedLaunch(raw: JsonObject): Sha256 {
  const isThirdParty = raw["origin"] === "third-party";
  return framedDigest(
    "eve/launch/1",
    pick(raw, isThirdParty ? ["transport", "source"] : ["transport"]),
  );
}

/** Digest of all pins of an entry, domain `eve/surface/1`: what a review and a live run have seen. Tool order is no part of it. */
export function pinnedSurface(raw: JsonObject): Sha256 {
  const tools = isJsonArray(raw["tools"]) ? raw["tools"] : [];
  const pinned = tools.map((tool) => pick(tool, ["name", "pins"])).toSorted(byText("name"));
  return framedDigest("eve/surface/1", { tools: pinned, surface: raw["surface"] ?? null });
}

function pick(value: JsonValue | undefined, keys: readonly string[]): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}
