import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { goodEntry, NOW, type Path, valueAt, withValue } from "@eve/test-kit";
import { ENTRY } from "./kit.ts";

const HTTP = goodEntry({ now: NOW, transport: "streamable-http" });
export const LOOPBACK = "http://127.0.0.1:8080";

type Change = readonly [path: Path, value: JsonValue | undefined];
export const apply = (entry: JsonObject, ...changes: readonly Change[]): JsonObject =>
  changes.reduce((left, [path, value]) => withValue(left, path, value), entry);
/** The good entry as one that only this machine reaches. */
export const local = (origin: string, deployment: string): JsonObject =>
  apply(
    ENTRY,
    [["deployment"], deployment],
    [["destinations"], [{ origin, dataClasses: ["note"] }]],
    [["credentials", 0, "destinations"], [origin]],
    [["credentials", 1, "destinations"], [origin]],
  );

/** An entry of which each field is good and two contradict each other, and the first refusal it earns. */
export const BROKEN_RELATIONS: readonly (readonly [
  title: string,
  entry: JsonObject,
  expected: string,
])[] = [
  [
    "production with a loopback destination",
    local(LOOPBACK, "production"),
    "entry.deployment_mismatch deployment",
  ],
  [
    "production with an IPv6 loopback destination",
    local("https://[::1]", "production"),
    "entry.deployment_mismatch deployment",
  ],
  [
    "local-reference with a destination elsewhere",
    apply(ENTRY, [["deployment"], "local-reference"]),
    "entry.deployment_mismatch deployment",
  ],
  [
    "local-development with a name of this machine",
    local("https://localhost", "local-development"),
    "entry.deployment_mismatch deployment",
  ],
  [
    "one artifact twice with two digests",
    apply(ENTRY, [["source", "artifacts", 1, "path"], "dist/main.js"]),
    "registry.field_invalid source.artifacts[1].path",
  ],
  [
    "one artifact twice",
    apply(ENTRY, [["source", "artifacts", 1], valueAt(ENTRY, ["source", "artifacts", 0])]),
    "registry.field_invalid source.artifacts",
  ],
  [
    "RS-13 one tool twice",
    apply(ENTRY, [["tools", 1, "name"], "list_notes"]),
    "registry.field_invalid tools[1].name",
  ],
  [
    "two tools too alike",
    apply(ENTRY, [["tools", 1, "name"], "list-n0tes"]),
    "registry.id_collision tools[1].name",
  ],
  [
    "a class milder than its tools",
    apply(ENTRY, [["riskClass"], "write"]),
    "registry.field_invalid riskClass",
  ],
  [
    "a class more severe than its tools",
    apply(ENTRY, [["riskClass"], "destructive"]),
    "registry.field_invalid riskClass",
  ],
  [
    "a tool more severe than the class",
    apply(ENTRY, [["tools", 0, "riskClass"], "destructive"]),
    "registry.field_invalid riskClass",
  ],
  [
    "a permission no tool needs",
    apply(
      ENTRY,
      [["permissions", 3], "notes:admin"],
      [["permissions"], ["notes:read", "notes:write", "notes:publish", "notes:admin"]],
    ),
    "registry.field_invalid permissions",
  ],
  [
    "a permission left out",
    apply(ENTRY, [["permissions", 2], undefined]),
    "registry.field_invalid permissions",
  ],
  [
    "a permission twice",
    apply(ENTRY, [["permissions", 1], "notes:read"]),
    "registry.field_invalid permissions",
  ],
  [
    "one credential id twice",
    apply(ENTRY, [["credentials", 1, "id"], "notes-bearer"]),
    "registry.field_invalid credentials[1].id",
  ],
  [
    "a credential that goes elsewhere",
    apply(ENTRY, [["credentials", 0, "destinations", 0], "https://evil.example"]),
    "registry.field_invalid credentials[0].destinations",
  ],
  [
    "a credential with a scope no tool needs",
    apply(ENTRY, [["credentials", 0, "scopes", 0], "notes:admin"]),
    "registry.field_invalid credentials[0].scopes",
  ],
  [
    "an environment name nobody accounts for",
    apply(ENTRY, [
      ["transport", "env"],
      ["NOTES_TOKEN", "ARCHIVE_TOKEN", "NOTES_URL", "NOTES_PAGE", "AWS_SECRET"],
    ]),
    "registry.field_invalid transport.env",
  ],
  [
    "a setting the server does not see",
    apply(ENTRY, [["configuration", 0, "env"], "OTHER_URL"]),
    "registry.field_invalid transport.env",
  ],
  [
    "one variable for two credentials",
    apply(
      ENTRY,
      [["credentials", 1, "env"], "NOTES_TOKEN"],
      [
        ["transport", "env"],
        ["NOTES_TOKEN", "NOTES_URL", "NOTES_PAGE"],
      ],
    ),
    "registry.field_invalid transport.env",
  ],
  [
    "one variable for two credentials of a server that is reached by URL",
    apply(HTTP, [["credentials", 1, "env"], "NOTES_TOKEN"]),
    "registry.field_invalid credentials[1].env",
  ],
  [
    "one variable for a credential and a setting of a server that is reached by URL",
    apply(HTTP, [["configuration", 1, "env"], "NOTES_TOKEN"]),
    "registry.field_invalid configuration[1].env",
  ],
  [
    "a version without pins of the server",
    apply(ENTRY, [["surface", "2026-07-28"], undefined]),
    "registry.field_missing surface.2026-07-28",
  ],
  [
    "a version without pins of a tool",
    apply(ENTRY, [["tools", 3, "pins", "definition", "2025-11-25"], undefined]),
    "registry.field_missing tools[3].pins.definition.2025-11-25",
  ],
  [
    "pins of a version not admitted",
    apply(ENTRY, [["protocol", "versions"], ["2025-11-25"]]),
    "registry.field_invalid surface",
  ],
  [
    "RT-13 a health expiry before its observation",
    apply(ENTRY, [["health", "expiresAt"], "2026-12-01T10:59:59Z"]),
    "registry.field_invalid health.expiresAt",
  ],
  [
    "RT-13 an evaluation that expires as it is made",
    apply(ENTRY, [["evaluation", "expiresAt"], "2026-12-01T11:00:00Z"]),
    "registry.field_invalid evaluation.expiresAt",
  ],
  [
    "RT-13 a review expiry before the review",
    apply(ENTRY, [["review", "expiresAt"], "2026-12-01T10:59:59.999Z"]),
    "registry.field_invalid review.expiresAt",
  ],
  [
    "evidence of another entry",
    apply(ENTRY, [["health", "evidence", "path"], "evidence/memos/health/report.json"]),
    "registry.field_invalid health.evidence.path",
  ],
  [
    "evidence of another part",
    apply(ENTRY, [["review", "evidence", "path"], "evidence/notes/health/report.json"]),
    "registry.field_invalid review.evidence.path",
  ],
  [
    "a URL that is no destination",
    apply(HTTP, [["transport", "url"], "https://evil.example/mcp"]),
    "registry.field_invalid transport.url",
  ],
  [
    "an unencrypted URL",
    apply(HTTP, [["transport", "url"], "http://notes.eve.example/mcp"]),
    "registry.field_invalid transport.url",
  ],
];
