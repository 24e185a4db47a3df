import type { JsonObject } from "@eve/canonical-json";
import { withChange, withValue } from "@eve/test-kit";
import { objectAt, parseObject } from "../json.ts";
import { type Change, localAt, reviewed } from "../trial.ts";
import { all, type RefusalRow, set } from "./row.ts";

/** RS-08: one required leaf of each part of an entry. */
const REQUIRED: readonly (readonly (string | number)[])[] = [
  ["origin"],
  ["deployment"],
  ["owner", "team"],
  ["tools", 0, "riskClass"],
  ["tools", 0, "pins", "definition", "2026-07-28"],
  ["configuration"],
  ["destinations", 0, "dataClasses"],
  ["lifecycle", "state"],
  ["review", "subject"],
];

const missing: readonly RefusalRow[] = REQUIRED.map((path) => ({
  what: `RS-08 an entry without ${path.join(".")}`,
  entry: set(path, undefined),
  code: "registry.field_missing",
}));

const unknown: readonly RefusalRow[] = [
  {
    what: "an unknown field of the entry",
    entry: set(["trusted"], true),
    code: "registry.unknown_field",
  },
  {
    what: "RS-02 an unknown field of a pin",
    entry: set(["tools", 0, "pins", "trusted"], true),
    code: "registry.unknown_field",
  },
  {
    what: "an unknown field of the transport",
    entry: set(["transport", "cwd"], "/"),
    code: "registry.unknown_field",
  },
];

const invalid = (
  what: string,
  path: readonly (string | number)[],
  value: JsonObject[string],
): RefusalRow => ({
  what,
  entry: set(path, value),
  code: "registry.field_invalid",
});

const values: readonly RefusalRow[] = [
  invalid("RS-13 one tool name twice", ["tools", 1, "name"], "workbench_list_items"),
  invalid("RS-14 a digest in upper case", ["source", "sha256"], "A".repeat(64)),
  invalid("RS-14 a digest of 63 digits", ["tools", 0, "pins", "description"], "0".repeat(63)),
  invalid("RS-14 a digest with a prefix", ["source", "sha256"], `sha256:${"0".repeat(64)}`),
  invalid("RS-16 an owner that cannot be seen", ["owner", "contact"], "\u2060"),
  invalid("RS-19 a wildcard as destination", ["destinations", 0, "origin"], "https://*"),
  invalid(
    "RS-20 a destination with a path",
    ["destinations", 0, "origin"],
    "https://workbench.eve.example/v1",
  ),
  invalid(
    "RS-20 a destination that is not https",
    ["destinations", 0, "origin"],
    "http://workbench.eve.example",
  ),
  invalid("RS-22 a wildcard as permission", ["permissions"], ["*"]),
  invalid("RP-13 a command with a line end", ["transport", "command"], "node\n"),
  invalid("a risk class below that of its tools", ["riskClass"], "read"),
];

const paths: readonly RefusalRow[] = [
  ["RP-01", "../../etc/passwd"],
  ["RP-01", "a//b"],
  ["RP-02", "/etc/passwd"],
  ["RP-02", "file:///etc/passwd"],
  ["RP-07", "apps/cafe\u0301"],
  ["RP-08", "tools%2f..%2fx"],
].map(([id, path]) => ({
  what: `${id} the source path ${JSON.stringify(path)}`,
  entry: set(["source", "path"], path ?? null),
  code: "source.path_invalid",
}));

const governance: readonly RefusalRow[] = [
  ...["plugin", "mcp-server "].map((kind): RefusalRow => ({
    what: `RS-04 the kind ${JSON.stringify(kind)}`,
    entry: set(["kind"], kind),
    code: "entry.kind_unknown",
  })),
  {
    what: "RS-05 a complete entry of an agent",
    entry: all(set(["kind"], "agent"), reviewed),
    code: "entry.agent_not_adopted",
  },
  {
    what: "production with a loopback destination",
    entry: all(localAt("http://127.0.0.1:8787"), set(["deployment"], "production")),
    code: "entry.deployment_mismatch",
  },
  {
    what: "local development with another destination (ADR-0092-227)",
    entry: all(set(["deployment"], "local-development"), reviewed),
    code: "entry.deployment_mismatch",
  },
  {
    what: "a lifecycle nobody knows",
    entry: set(["lifecycle", "state"], "retired"),
    code: "lifecycle.unknown",
  },
  {
    what: "RS-07 active with a Cyrillic letter",
    entry: set(["lifecycle", "state"], "аctive"),
    code: "lifecycle.unknown",
  },
  {
    what: "a quarantined entry (ADR-0092-303)",
    entry: set(["lifecycle", "state"], "quarantined"),
    code: "lifecycle.quarantined",
  },
  {
    what: "a revoked entry (ADR-0092-303)",
    entry: set(["lifecycle", "state"], "revoked"),
    code: "lifecycle.revoked",
  },
  {
    what: "a failed probe",
    entry: set(["health", "status"], "unhealthy"),
    code: "health.unhealthy",
  },
  {
    what: "an unknown health",
    entry: set(["health", "status"], "unknown"),
    code: "health.unknown",
  },
  {
    what: "a failed evaluation",
    entry: set(["evaluation", "status"], "failed"),
    code: "evaluation.failed",
  },
  {
    what: "a pending evaluation",
    entry: set(["evaluation", "status"], "pending"),
    code: "evaluation.pending",
  },
  {
    what: "RS-17 an owner who reviews",
    entry: (entry) => withValue(entry, ["review", "reviewer"], objectAt(entry, "owner")["team"]),
    code: "review.not_independent",
  },
  {
    what: "a generated entry in production",
    entry: set(["review", "basis"], "generated"),
    code: "review.basis_refused",
  },
  {
    what: "a data class that no review knows",
    entry: addDataClass("credential"),
    code: "review.subject_changed",
  },
  {
    what: "a permission that no review knows",
    entry: rewordPermission,
    code: "review.subject_changed",
  },
];

/** What an entry is refused for, whatever the program and the clock are. */
export const ENTRY_ROWS: readonly RefusalRow[] = [
  ...missing,
  ...unknown,
  ...values,
  ...paths,
  ...governance,
];

function addDataClass(name: string): Change {
  return (entry) =>
    withChange(entry, ["destinations", 0, "dataClasses"], (old) => [
      ...(Array.isArray(old) ? old : []),
      name,
    ]);
}

/** The same entry with `workbench:publish` called `workbench:release` wherever it stands. */
export function rewordPermission(entry: JsonObject): JsonObject {
  return parseObject(
    JSON.stringify(entry).replaceAll('"workbench:publish"', '"workbench:release"'),
  );
}
