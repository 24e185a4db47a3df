import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, framedDigest, type JsonValue, parseJson } from "@eve/canonical-json";
import {
  ENTRY_LEAVES,
  entryDigest,
  parseEntry,
  pinnedSurface,
  reviewSubject,
} from "@eve/registry-schema";
import {
  goodEntry,
  leavesOf,
  NOW,
  pathText,
  thirdPartyEntry,
  listIn,
  objectIn,
  textIn,
} from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { faultsOfEntry } from "./kit.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/entry.md"), "utf8");

/** The JSON of the page's only fenced block with this info string, read as strictly as the registry. */
function block(info: string): JsonValue {
  const blocks = [...PAGE.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].filter(
    (match) => match[1] === info,
  );
  expect(blocks).toHaveLength(1);
  const parsed = parseJson(new TextEncoder().encode(blocks[0]?.[2] ?? ""));
  if (!parsed.ok) throw new TypeError(parsed.fault.reason);
  return parsed.value;
}

const ENTRY = objectIn(block("json"));
interface Vector {
  readonly domain: string;
  readonly value: JsonValue | undefined;
  readonly absent: JsonValue | undefined;
  readonly sha256: string;
}
const VECTORS: readonly Vector[] = listIn(block("json vectors"))
  .map(objectIn)
  .map(({ domain, value, absent, sha256 }) => ({
    domain: textIn(domain),
    value,
    absent,
    sha256: textIn(sha256),
  }));

describe("the entry of docs/entry.md", () => {
  it("is complete", () => {
    expect(parseEntry(ENTRY, "runbook-server")).toMatchObject({
      ok: true,
      entry: { id: "runbook-server" },
    });
    expect(faultsOfEntry(ENTRY)).toEqual([]);
  });

  it("states the digest of what its review decides", () => {
    expect(objectIn(ENTRY["review"])["subject"]).toBe(reviewSubject(ENTRY));
  });

  it("has the digests that the page names", () => {
    for (const [domain, digest] of [
      ["eve/entry/1", entryDigest(ENTRY)],
      ["eve/review-subject/1", reviewSubject(ENTRY)],
      ["eve/surface/1", pinnedSurface(ENTRY)],
    ] as const)
      expect(PAGE).toContain(`| \`${domain}\` | \`${digest}\` |`);
  });

  it("has only fields of the table, and the table only fields that entries have", () => {
    const entries = [
      ENTRY,
      goodEntry({ now: NOW }),
      goodEntry({ now: NOW, transport: "streamable-http" }),
      thirdPartyEntry({ now: NOW }),
    ];
    const fields = entries
      .flatMap((entry) => leavesOf(entry))
      .map(({ path }) =>
        pathText(path)
          .replaceAll(/\[\d+\]/g, "[]")
          .replaceAll(/\.\d{4}-\d{2}-\d{2}/g, ".*")
          .replace(/(clientCapabilities).*/, "$1"),
      );
    const inPage = [...PAGE.matchAll(/^\| `([^`]+)` \| (?:bound|dated|descriptive) \|/gm)].map(
      (match) => match[1] ?? "",
    );
    expect(inPage).toEqual(ENTRY_LEAVES.map(({ path }) => path));
    expect([...new Set(fields)].toSorted()).toEqual(inPage.toSorted());
  });
});

describe("the vectors of docs/entry.md", () => {
  it("cover every framing that the page describes", () => {
    const described = [...PAGE.matchAll(/^\| `(eve\/[^`]+)` \| (?!`[0-9a-f]{64}`)/gm)].map(
      (match) => match[1] ?? "",
    );
    const covered = new Set([
      ...VECTORS.map(({ domain }) => domain),
      "eve/entry/1",
      "eve/review-subject/1",
      "eve/surface/1",
    ]);
    expect(described).toHaveLength(16);
    expect(described.filter((domain) => !covered.has(domain))).toEqual([]);
  });

  it.each(VECTORS.map((vector) => [vector.domain, vector] as const))(
    "%s is SHA-256 over domain, zero byte and RFC 8785 form",
    (_domain, { domain, value, absent, sha256 }) => {
      const bytes = Buffer.concat([
        Buffer.from(domain),
        Buffer.of(0),
        Buffer.from(value === undefined ? "" : canonicalJson(value)),
      ]);
      expect(absent === true).toBe(value === undefined);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
      expect(framedDigest(domain, value)).toBe(sha256);
    },
  );

  it("build on each other: items in lists, packages in a closure", () => {
    const of = (domain: string): readonly string[] =>
      VECTORS.flatMap((vector) => (vector.domain === domain ? [vector.sha256] : []));
    const listed = JSON.stringify(
      VECTORS.filter(({ domain }) =>
        ["eve/pin/1/prompts", "eve/pin/1/resources", "eve/closure/1"].includes(domain),
      ),
    );
    for (const digest of [
      "eve/pin/1/prompts/item",
      "eve/pin/1/resources/item",
      "eve/package/1",
    ].flatMap(of))
      expect(listed).toContain(digest);
  });
});
