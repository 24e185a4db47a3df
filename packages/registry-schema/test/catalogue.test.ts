import { CATALOGUE, isRefusalCode, publicRefusal, refusal } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";

/**
 * Every code with its JSON-RPC number and HTTP status, written out: programs, runbooks and dashboards of other teams
 * hold them. A line may be added. A line that changes or goes away is a breaking change of the contract.
 */
const FROZEN: Readonly<Record<string, readonly [jsonRpc: number, http: number]>> = {
  "registry.missing": [-31001, 503],
  "registry.unreadable": [-31002, 503],
  "registry.unparseable": [-31003, 503],
  "registry.duplicate_key": [-31004, 503],
  "registry.unsafe_key": [-31005, 503],
  "registry.number_invalid": [-31006, 503],
  "registry.string_invalid": [-31007, 503],
  "registry.too_deep": [-31008, 503],
  "registry.too_large": [-31009, 503],
  "registry.unknown_field": [-31010, 503],
  "registry.field_missing": [-31011, 503],
  "registry.field_invalid": [-31012, 503],
  "registry.contract_unknown": [-31013, 503],
  "registry.empty": [-31014, 503],
  "registry.duplicate_entry": [-31015, 503],
  "registry.id_collision": [-31016, 503],
  "registry.rollback": [-31017, 503],
  "entry.absent": [-31101, 403],
  "entry.kind_unknown": [-31102, 403],
  "entry.agent_not_adopted": [-31103, 403],
  "entry.deployment_mismatch": [-31104, 403],
  "entry.changed": [-31105, 409],
  "lifecycle.unknown": [-31111, 403],
  "lifecycle.quarantined": [-31112, 403],
  "lifecycle.revoked": [-31113, 403],
  "gates.unmet": [-31121, 403],
  "gates.evidence_mismatch": [-31122, 403],
  "health.unhealthy": [-31131, 403],
  "health.unknown": [-31132, 403],
  "health.expired": [-31133, 403],
  "health.future": [-31134, 403],
  "health.window_exceeded": [-31135, 403],
  "health.evidence_mismatch": [-31136, 403],
  "health.not_renewed": [-31137, 403],
  "evaluation.failed": [-31141, 403],
  "evaluation.pending": [-31142, 403],
  "evaluation.expired": [-31143, 403],
  "evaluation.future": [-31144, 403],
  "evaluation.window_exceeded": [-31145, 403],
  "evaluation.evidence_mismatch": [-31146, 403],
  "evaluation.not_renewed": [-31147, 403],
  "review.not_independent": [-31151, 403],
  "review.basis_refused": [-31152, 403],
  "review.expired": [-31153, 403],
  "review.future": [-31154, 403],
  "review.window_exceeded": [-31155, 403],
  "review.evidence_mismatch": [-31156, 403],
  "review.not_renewed": [-31158, 403],
  "review.subject_changed": [-31157, 403],
  "clock.behind": [-31161, 503],
  "source.path_invalid": [-31171, 403],
  "source.unmeasured": [-31172, 403],
  "source.changed": [-31173, 403],
  "source.version_changed": [-31174, 403],
  "artifact.changed": [-31175, 403],
  "transport.changed": [-31181, 403],
  "protocol.version_unadmitted": [-31182, 403],
  "protocol.framing": [-31183, 502],
  "surface.unavailable": [-31201, 503],
  "surface.empty": [-31202, 403],
  "surface.pagination_invalid": [-31203, 502],
  "surface.too_large": [-31204, 502],
  "surface.duplicate_tool": [-31205, 403],
  "surface.tool_set_drift": [-31206, 403],
  "surface.schema_drift": [-31207, 403],
  "surface.description_drift": [-31208, 403],
  "surface.definition_drift": [-31209, 403],
  "surface.annotation_mismatch": [-31210, 403],
  "surface.instructions_drift": [-31211, 403],
  "surface.capability_drift": [-31212, 403],
  "surface.prompt_drift": [-31213, 403],
  "surface.resource_drift": [-31214, 403],
  "surface.client_mismatch": [-31215, 403],
  "surface.text_unsafe": [-31216, 403],
  "surface.generation_stale": [-31217, 409],
  "surface.icon_unsafe": [-31218, 403],
  "surface.link_unsafe": [-31219, 403],
  "schema.not_object": [-31221, 403],
  "schema.remote_ref": [-31222, 403],
  "schema.too_complex": [-31223, 403],
  "schema.pattern_unsafe": [-31224, 403],
  "schema.header_invalid": [-31225, 403],
  "configuration.missing": [-31301, 503],
  "configuration.invalid": [-31302, 503],
  "credential.missing": [-31311, 401],
  "credential.placeholder": [-31312, 401],
  "credential.malformed": [-31313, 401],
  "credential.realm_mismatch": [-31314, 401],
  "credential.class_refused": [-31315, 401],
  "credential.destination_refused": [-31316, 403],
  "call.tool_unpinned": [-31401, 403],
  "call.annotation_mismatch": [-31402, 403],
  "call.scope_missing": [-31403, 403],
  "call.arguments_invalid": [-31404, 400],
  "call.result_invalid": [-31405, 502],
  "consent.required": [-31501, 403],
  "audit.rolled_back": [-31551, 503],
  "audit.checkpoint_unreadable": [-31552, 503],
  "audit.checkpoint_untrusted": [-31553, 503],
  "audit.altered": [-31554, 500],
  "workbench.unavailable": [-31601, 503],
  "runtime.unsafe": [-31701, 503],
  "admission.forged": [-31702, 500],
  "internal.error": [-31703, 500],
  "consent.not_found": [-31502, 404],
  "consent.pending": [-31503, 409],
  "consent.declined": [-31504, 409],
  "consent.expired": [-31505, 410],
  "consent.consumed": [-31506, 409],
  "consent.voided": [-31507, 409],
  "consent.arguments_mismatch": [-31508, 409],
  "consent.surface_changed": [-31509, 409],
  "consent.item_changed": [-31510, 409],
  "consent.approver_not_operator": [-31511, 403],
  "consent.self_approval": [-31512, 403],
  "consent.digest_mismatch": [-31513, 409],
  "consent.quota_exceeded": [-31514, 429],
  "consent.integrity": [-31515, 500],
  "consent.decided": [-31516, 409],
  "auth.token_missing": [-31521, 401],
  "auth.token_invalid": [-31522, 401],
  "auth.scope_insufficient": [-31523, 403],
  "auth.realm_refused": [-31524, 403],
  "item.not_found": [-31531, 404],
  "item.state_refused": [-31532, 409],
  "request.invalid": [-31541, 400],
  "request.too_large": [-31542, 413],
  "request.unsupported_media_type": [-31543, 415],
  "request.not_found": [-31544, 404],
  "service.unavailable": [-31545, 503],
  "request.rate_limited": [-31546, 429],
};

const rows = Object.entries(CATALOGUE);

describe("the catalogue", () => {
  it("holds exactly the frozen codes, numbers and statuses", () => {
    expect(
      Object.fromEntries(rows.map(([code, { jsonRpc, http }]) => [code, [jsonRpc, http]])),
    ).toEqual(FROZEN);
    expect(rows.length).toBeGreaterThan(80);
  });

  it("gives each code a JSON-RPC number of its own", () => {
    expect(new Set(rows.map(([, { jsonRpc }]) => jsonRpc)).size).toBe(rows.length);
  });

  it("uses no JSON-RPC number of the range that JSON-RPC and the SDKs use", () => {
    const inside = rows.filter(
      ([, { jsonRpc }]) =>
        !Number.isSafeInteger(jsonRpc) || (jsonRpc >= -32768 && jsonRpc <= -32000),
    );
    expect(inside).toEqual([]);
  });

  it.each(rows)("%s is dotted lower case, told in whole single lines, and mapped", (code, row) => {
    expect(code).toMatch(/^[a-z]+\.[a-z][a-z_]*[a-z]$/);
    for (const text of [row.title, row.remedy, row.clause]) expect(text).toMatch(/^\S[^\n\r|]*\S$/);
    expect(row.title).not.toMatch(/\.$/);
    expect(row.remedy).toMatch(/\.$/);
    expect(row.clause).toMatch(/^(ADR-\d{4}|DESIGN|RFC \d{4}|MCP \d{4}-\d{2}-\d{2})[:,]/);
    expect(row.exit).toBe(78);
    expect(row.http).toBeGreaterThanOrEqual(400);
    expect(row.http).toBeLessThan(600);
  });

  it("tells causes apart by their titles", () => {
    expect(new Set(rows.map(([, { title }]) => title)).size).toBe(rows.length);
  });

  it("cannot be changed at run time", () => {
    expect(Object.isFrozen(CATALOGUE)).toBe(true);
    expect(rows.every(([, row]) => Object.isFrozen(row))).toBe(true);
  });

  it("knows its codes and no inherited name", () => {
    expect(isRefusalCode("entry.absent")).toBe(true);
    for (const other of ["toString", "__proto__", "constructor", "", "entry", "Entry.absent"])
      expect(isRefusalCode(other)).toBe(false);
  });
});

describe("a refusal", () => {
  const place = {
    integration: "notes",
    subject: "tools.ship_note",
    expected: "0123",
    actual: "4567",
  };

  it.each(Object.keys(CATALOGUE).filter(isRefusalCode))(
    "of %s takes title and remedy from the catalogue",
    (code) => {
      const { title, remedy } = CATALOGUE[code];
      expect(refusal(code, place)).toEqual({ code, title, remedy, ...place });
    },
  );

  it("of the whole registry names no integration", () => {
    expect(
      refusal("registry.missing", { subject: "file", expected: "a file", actual: "none" })
        .integration,
    ).toBeNull();
  });

  it("shows a model code, title and remedy alone", () => {
    expect(Object.keys(publicRefusal(refusal("entry.absent", place))).toSorted()).toEqual([
      "code",
      "remedy",
      "title",
    ]);
  });
});
