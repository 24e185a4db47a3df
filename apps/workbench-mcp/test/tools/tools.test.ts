import { describe, expect, test } from "vitest";
import { TOOLS } from "../../src/tools/index.ts";
import { RISK_CLASSES } from "../good-registry.ts";

const DIGEST = "a".repeat(64);
const CONSENT = "consent_0123456789";
const GOOD: Readonly<Record<string, Record<string, unknown>>> = {
  workbench_list_items: { state: "queued", assignee: "agent:1", cursor: "abc", limit: 100 },
  workbench_get_item: { itemId: "item-1" },
  workbench_claim_item: { itemId: "item-1" },
  workbench_add_note: { itemId: "item-1", text: "A note\nof two lines" },
  workbench_submit_change: { itemId: "item-1", summary: "It works", artifactSha256: DIGEST },
  workbench_ship_item: { itemId: "item-1", channel: "stable", consentId: CONSENT },
  workbench_verify_item: {
    itemId: "item-1",
    outcome: "rejected",
    reason: "It does not",
    consentId: CONSENT,
  },
};
const REFUSED = { status: "refused", code: "entry.absent", title: "No", remedy: "Ask" };
const PENDING = { status: "pending", consentId: CONSENT, next: "Wait" };
const APPROVAL = {
  status: "approval_required",
  consentId: CONSENT,
  approveUrl: "https://a.example/x",
  expiresAt: "2026-12-01T12:00:00Z",
  digest: DIGEST,
  next: "Show it",
};

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const takes = (value: unknown): boolean => tool.inputSchema.safeParse(value).success;
  const answers = (value: unknown): boolean => tool.outputSchema.safeParse(value).success;
  const isPublish = RISK_CLASSES.get(name) === "publish";

  test("takes good arguments", () => expect(takes(GOOD[name])).toBe(true));
  test("takes no unknown argument", () => expect(takes({ ...GOOD[name], more: 1 })).toBe(false));
  test("names neither risk class nor annotations: both come from the registry", () => {
    expect(Object.keys(tool).toSorted()).toEqual([
      "description",
      "inputSchema",
      "name",
      "outputSchema",
      "title",
    ]);
  });
  test("says whether a human must approve", () =>
    expect(tool.description).toMatch(
      isPublish ? /approval of a human operator/ : /needs no approval/,
    ));
  test("may be refused", () => {
    expect(answers(REFUSED)).toBe(true);
    expect(answers({ ...REFUSED, actual: "x" })).toBe(false);
  });
  test(`${isPublish ? "may" : "may not"} ask for approval or be pending`, () => {
    expect([answers(APPROVAL), answers(PENDING)]).toEqual([isPublish, isPublish]);
  });
  test("may not answer another status, or none", () => {
    expect([
      answers({ status: "done" }),
      answers({}),
      answers([]),
      answers({ status: "ok" }),
    ]).toEqual([false, false, false, false]);
  });

  test.each([
    "itemId",
    "consentId",
    "artifactSha256",
    "text",
    "summary",
    "reason",
    "cursor",
    "assignee",
  ])("bounds %s where it has one", (field) => {
    if (GOOD[name]?.[field] === undefined) return;
    for (const value of ["", " ", "../x", "a\u0000b", "\ud800", "x".repeat(10_000), 5, null, {}]) {
      const isFreeText = ["text", "summary", "reason"].includes(field);
      const isReadable = isFreeText && (value === " " || value === "../x");
      expect([field, value, takes({ ...GOOD[name], [field]: value })]).toEqual([
        field,
        value,
        isReadable,
      ]);
    }
  });
});

describe("limits", () => {
  const [list] = TOOLS;
  test.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
    [1.5, false],
  ])("limit %d: %s", (limit, isTaken) =>
    expect(list?.inputSchema.safeParse({ limit }).success).toBe(isTaken),
  );
  test("an approval's URL is http or https", () => {
    const ship = TOOLS.find(({ name }) => name === "workbench_ship_item");
    for (const approveUrl of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "data:text/html,x",
      "//a.example",
      "https://a b",
    ])
      expect(ship?.outputSchema.safeParse({ ...APPROVAL, approveUrl }).success).toBe(false);
  });
});
