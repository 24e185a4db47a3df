import { z } from "zod";
import {
  codePoint,
  containedPath,
  destination,
  distinct,
  endpoint,
  envName,
  failsWith,
  id,
  instant,
  integrity,
  jsonObject,
  packageName,
  permission,
  protocolVersion,
  riskClass,
  sha256,
  surfacePointer,
  text,
  toolName,
  version,
  word,
} from "./entry-fields.ts";
import {
  DEPLOYMENTS,
  KINDS,
  LIFECYCLE_STATES,
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
} from "./vocabulary.ts";

const perVersion = <T extends z.ZodType>(
  value: T,
): z.ZodObject<Record<ProtocolVersion, z.ZodOptional<T>>, z.core.$strict> =>
  z.strictObject(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the keys it was given
    Object.fromEntries(PROTOCOL_VERSIONS.map((v) => [v, value.optional()])) as Record<
      ProtocolVersion,
      z.ZodOptional<T>
    >,
  );

const evidence = z.strictObject({ path: containedPath, sha256 });

const firstPartySource = z.strictObject({
  path: containedPath,
  version,
  sha256,
  artifacts: distinct(z.strictObject({ path: containedPath, sha256 })),
});
const thirdPartySource = z.strictObject({ package: packageName, version, integrity, sha256 });

const stdio = z.strictObject({
  type: z.literal("stdio"),
  command: word,
  args: z.array(word).max(64),
  env: distinct(envName, 0),
});
const streamableHttp = z.strictObject({
  type: z.literal("streamable-http"),
  url: endpoint,
});

const tool = z.strictObject({
  name: toolName,
  riskClass,
  permissions: distinct(permission),
  pins: z.strictObject({
    inputSchema: sha256,
    description: sha256,
    definition: perVersion(sha256),
  }),
});

const serverPins = z.strictObject({
  instructions: sha256,
  capabilities: sha256,
  prompts: sha256,
  resources: sha256,
});

const surface = perVersion(serverPins).extend({
  observedWith: z.strictObject({ clientCapabilities: jsonObject }),
});

const common = {
  id,
  kind: z.enum(KINDS, failsWith("entry.kind_unknown", "mcp-server or agent")),
  deployment: z.enum(DEPLOYMENTS),
  protocol: z.strictObject({ name: z.literal("mcp"), versions: distinct(protocolVersion) }),
  owner: z.strictObject({ team: id, contact: text }),
  transport: z.discriminatedUnion("type", [stdio, streamableHttp]),
  riskClass,
  permissions: distinct(permission),
  tools: z.array(tool).min(1).max(1024),
  surface,
  credentials: z
    .array(
      z.strictObject({
        id,
        env: envName,
        scopes: distinct(permission),
        destinations: distinct(destination),
      }),
    )
    .max(16),
  configuration: z.array(z.strictObject({ env: envName, required: z.boolean() })).max(64),
  destinations: z.array(z.strictObject({ origin: destination, dataClasses: distinct(id) })).max(64),
  textExceptions: z
    .array(z.strictObject({ field: surfacePointer, codePoints: distinct(codePoint), reason: text }))
    .min(1)
    .max(64)
    .optional(),
  lifecycle: z.strictObject({
    state: z.enum(
      LIFECYCLE_STATES,
      failsWith("lifecycle.unknown", "active, quarantined or revoked"),
    ),
    since: instant,
    reason: text,
  }),
  health: z.strictObject({
    status: z.enum(["healthy", "unhealthy", "unknown"]),
    observedAt: instant,
    expiresAt: instant,
    evidence,
  }),
  evaluation: z.strictObject({
    status: z.enum(["passed", "failed", "pending"]),
    observedAt: instant,
    expiresAt: instant,
    evidence,
  }),
  review: z.strictObject({
    basis: z.enum(["reviewed", "generated"]),
    reviewer: id,
    reviewedAt: instant,
    expiresAt: instant,
    subject: sha256,
    evidence,
  }),
};

const firstPartyEntry = z.strictObject({
  ...common,
  origin: z.literal("first-party"),
  source: firstPartySource,
});
const thirdPartyEntry = z.strictObject({
  ...common,
  origin: z.literal("third-party"),
  source: thirdPartySource,
});

/** The shape of an entry by field; relations between fields are in entry-relations.ts. Unknown fields are refused. */
export const entryShape: z.ZodDiscriminatedUnion<
  [typeof firstPartyEntry, typeof thirdPartyEntry],
  "origin"
> = z.discriminatedUnion("origin", [firstPartyEntry, thirdPartyEntry]);

/** A complete entry whose source is in this repository. */
export type FirstPartyEntry = DeepReadonly<z.output<typeof firstPartyEntry>>;
/** A complete entry of a package made elsewhere. */
export type ThirdPartyEntry = DeepReadonly<z.output<typeof thirdPartyEntry>>;
/** A complete entry of the registry: what docs/entry.md tables, parsed. */
export type Entry = FirstPartyEntry | ThirdPartyEntry;
/** One pinned tool of an entry. */
export type EntryTool = Entry["tools"][number];
/** The pins of what a server shows beside its tools, for one protocol version. */
export type ServerPins = DeepReadonly<z.output<typeof serverPins>>;
/** A file under registry/evidence/ and its digest. */
export type Evidence = DeepReadonly<z.output<typeof evidence>>;

type DeepReadonly<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer U)[]
    ? readonly DeepReadonly<U>[]
    : { readonly [K in keyof T]: DeepReadonly<T[K]> };
