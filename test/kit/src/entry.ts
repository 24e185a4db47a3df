import { type JsonObject, sha256 } from "@eve/canonical-json";
import { at, DAY_MS, sixMonthsAfter } from "./clock.ts";
import { evidenceFiles } from "./evidence.ts";
import { bytesOf, withValue } from "./json.ts";
import { pinsOfServer, pinsOfTool, reviewSubjectOf } from "./pins.ts";
import { GOOD_TOOLS, goodSurface, type KitSurface, VERSIONS } from "./surface.ts";

/** What a good entry may be told; a first-party stdio server of two protocol versions where it is not. */
export interface EntryOptions {
  /** Epoch ms at which the entry is good; it was observed and reviewed one hour before. */
  readonly now: number;
  readonly id?: string;
  readonly origin?: "first-party" | "third-party";
  readonly transport?: "stdio" | "streamable-http";
  /** The surfaces whose pins the entry holds, one a protocol version; their first lists the tools. */
  readonly surfaces?: readonly KitSurface[];
}

/** The digests that good entries and good observations share. */
export const GOOD_SOURCE = {
  sha256: String(sha256("source tree")),
  version: "1.4.0",
  path: "apps/notes",
  artifacts: [
    { path: "dist/main.js", sha256: String(sha256("main.js")) },
    { path: "dist/worker.js", sha256: String(sha256("worker.js")) },
  ],
  package: "@notes/server",
  integrity: `sha512-${"A".repeat(86)}==`,
} as const;

/** A complete entry that is admitted at `now`, with valid evidence digests: see `goodEvidence`. */
export function goodEntry(options: EntryOptions): JsonObject {
  const { now, origin = "first-party", transport = "stdio" } = options;
  const {
    id = origin === "first-party" ? "notes" : "other-notes",
    surfaces = VERSIONS.map(goodSurface),
  } = options;
  const observed = now - 3_600_000;
  const entry: JsonObject = {
    id,
    kind: "mcp-server",
    origin,
    deployment: "production",
    protocol: { name: "mcp", versions: surfaces.map(({ protocolVersion }) => protocolVersion) },
    owner: { team: "notes-team", contact: "notes@eve.example" },
    source: sourceOf(origin),
    transport: transportOf(transport),
    riskClass: "publish",
    permissions: ["notes:read", "notes:write", "notes:publish"],
    tools: GOOD_TOOLS.map(({ name, riskClass, permissions }) => ({
      name,
      riskClass,
      permissions,
      pins: toolPinsIn(surfaces, name),
    })),
    surface: {
      observedWith: { clientCapabilities: { roots: { listChanged: true } } },
      ...Object.fromEntries(
        surfaces.map((surface) => [surface.protocolVersion, pinsOfServer(surface)]),
      ),
    },
    credentials: [
      {
        id: "notes-bearer",
        env: "NOTES_TOKEN",
        scopes: ["notes:read", "notes:write"],
        destinations: ["https://notes.eve.example"],
      },
      {
        id: "archive-bearer",
        env: "ARCHIVE_TOKEN",
        scopes: ["notes:read"],
        destinations: ["https://archive.eve.example", "https://notes.eve.example"],
      },
    ],
    configuration: [
      { env: "NOTES_URL", required: true },
      { env: "NOTES_PAGE", required: false },
    ],
    destinations: [
      { origin: "https://notes.eve.example", dataClasses: ["note", "actor-id"] },
      { origin: "https://archive.eve.example", dataClasses: ["note"] },
      { origin: "https://metrics.eve.example", dataClasses: ["usage"] },
    ],
    // Allows what its texts do not hold: an exception is no duty.
    textExceptions: [
      {
        field: "/tools/list_notes/description",
        codePoints: ["U+200B", "U+200D"],
        reason: "A separator of words in the vendor's own language",
      },
    ],
    lifecycle: {
      state: "active",
      since: at(observed - 90 * DAY_MS),
      reason: "Adopted after review",
    },
    health: {
      status: "healthy",
      observedAt: at(observed),
      expiresAt: at(observed + 30 * DAY_MS),
      evidence: evidenceAt(id, "health"),
    },
    evaluation: {
      status: "passed",
      observedAt: at(observed),
      expiresAt: sixMonthsAfter(observed),
      evidence: evidenceAt(id, "evaluation"),
    },
    review: {
      basis: "reviewed",
      reviewer: "eve-security",
      reviewedAt: at(observed),
      expiresAt: sixMonthsAfter(observed),
      subject: "0".repeat(64),
      evidence: evidenceAt(id, "review"),
    },
  };
  return renewed(entry);
}

/** {@link goodEntry} of a package made elsewhere. */
export function thirdPartyEntry(options: Omit<EntryOptions, "origin">): JsonObject {
  return goodEntry({ ...options, origin: "third-party" });
}

/** The entry as an owner would leave it after a change: review subject and evidence digests computed anew. */
export function renewed(entry: JsonObject): JsonObject {
  const reviewed = withValue(entry, ["review", "subject"], reviewSubjectOf(entry));
  const files = evidenceFiles(reviewed);
  return (["health", "evaluation", "review"] as const).reduce(
    (left, part) =>
      withValue(left, [part, "evidence", "sha256"], sha256(bytesOf(files.reports[part]))),
    reviewed,
  );
}

function sourceOf(origin: "first-party" | "third-party"): JsonObject {
  const { path, version, sha256: digest, artifacts, package: name, integrity } = GOOD_SOURCE;
  return origin === "first-party"
    ? { path, version, sha256: digest, artifacts }
    : { package: name, version, integrity, sha256: digest };
}

function transportOf(type: "stdio" | "streamable-http"): JsonObject {
  if (type === "streamable-http") return { type, url: "https://notes.eve.example/mcp" };
  return {
    type,
    command: "node",
    args: ["dist/main.js", "--quiet"],
    env: ["NOTES_TOKEN", "ARCHIVE_TOKEN", "NOTES_URL", "NOTES_PAGE"],
  };
}

function toolPinsIn(surfaces: readonly KitSurface[], name: string): JsonObject {
  const found = surfaces.flatMap(({ protocolVersion, tools }) => {
    const tool = tools.find((candidate) => candidate["name"] === name);
    return tool ? [{ protocolVersion, ...pinsOfTool(tool) }] : [];
  });
  const [first] = found;
  if (!first) throw new TypeError(`no surface lists ${name}`);
  return {
    inputSchema: first.inputSchema,
    description: first.description,
    definition: Object.fromEntries(
      found.map(({ protocolVersion, definition }) => [protocolVersion, definition]),
    ),
  };
}

function evidenceAt(id: string, part: string): JsonObject {
  return { path: `evidence/${id}/${part}/report.json`, sha256: "0".repeat(64) };
}
