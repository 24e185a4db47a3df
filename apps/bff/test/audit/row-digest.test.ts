import { AUDIT_COLUMNS, auditRowDigest } from "../../src/audit/row-digest.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GENESIS, linkDigest } from "../../src/audit/link.ts";
import { type SealedDatabase, sealedDatabase, unguarded } from "./sealed-database.ts";

let sealed: SealedDatabase;
beforeAll(async () => {
  sealed = await sealedDatabase({ begins: false });
});
afterAll(() => sealed[Symbol.asyncDispose]());

const FIELDS = ["7", "1764547200000000", "acme", "agent:1", "team:a", "c-1", "a", "s", null, "{}"];

test("says all columns that an audit row has, so that one added later is sealed too", async () => {
  const { rows } = await sealed.owner.query<{ column_name: string }>(
    "select column_name from information_schema.columns where table_schema = 'bff' and table_name = 'audit' order by ordinal_position",
  );
  expect(rows.map(({ column_name }) => column_name)).toEqual(AUDIT_COLUMNS);
});

test("tells none, empty, and texts that only together are the same, apart", () => {
  const digests = [
    FIELDS,
    FIELDS.with(8, ""),
    FIELDS.with(8, "0"),
    FIELDS.with(6, "as").with(7, ""),
    FIELDS.with(6, "").with(7, "as"),
    FIELDS.with(6, null).with(7, "as"),
    FIELDS.with(6, "a\u0000").with(7, "s"),
  ].map((fields) => auditRowDigest(fields).toString("hex"));
  expect(new Set(digests).size).toBe(digests.length);
});

test("is written out once, so that no later change makes another of it", () => {
  const digest = auditRowDigest(FIELDS);
  expect(digest.toString("hex")).toBe(
    "f349e37d57b3ed2d50fe49c6964a4cdf86b333a117a1a041c8e8defeca61aa43",
  );
  expect(linkDigest(GENESIS.link, 1, 7n, digest).toString("hex")).toBe(
    "15cabc5e646e161d8572c783b1dc147999a18b8c10cf3816179c1d6ce75dd4b6",
  );
});

test.each([
  ["an instant with µs", `at = '2026-12-01T00:00:00.123456Z'`],
  ["an instant before 1970", `at = '1969-12-31T23:59:59.999999Z'`],
  ["an instant that never comes", `at = 'infinity'`],
  ["no code", "code = null"],
  ["an empty code", "code = ''"],
  ["letters of every plane", `subject = E'caf\\u00e9 \\U0001F6A2 \\u202e \\u0001'`],
  [
    "nested details",
    `detail = '{"b": [1, 1.50, -0.0, 1e400, null], "a": {"\\u0001": "\\u2028"}, "a": 2}'`,
  ],
  ["details that are no object", "detail = 'null'"],
  ["the largest id", ""],
])("is the same here and in the database: %s", async (_, change) => {
  await sealed.owner.query("begin");
  await unguarded(sealed.owner, async () => {
    await sealed.owner.query(
      `insert into bff.audit overriding system value values (9223372036854775807, bff.clock(), 'acme', 'agent:1', 'team:a',
        gen_random_uuid(), 'a', 's', null, '{}')`,
    );
    if (change !== "") await sealed.owner.query(`update bff.audit set ${change}`);
    const { rows } = await sealed.owner.query<[Buffer, ...(string | null)[]]>({
      text: `select bff.audit_row_digest(a), id::text, trunc(extract(epoch from at) * 1000000)::text, tenant::text,
        actor::text, principal::text, credential::text, action, subject, code, detail::text from bff.audit a`,
      rowMode: "array",
    });
    const [row] = rows;
    if (row === undefined) throw new Error("no row");
    const [digest, ...fields] = row;
    expect(auditRowDigest(fields).toString("hex")).toBe(digest.toString("hex"));
    const { rows: links } = await sealed.owner.query<{ link: Buffer }>(
      "select bff.audit_link($1, 9007199254740991, 9223372036854775807, $2) as link",
      [GENESIS.link, digest],
    );
    const made = linkDigest(GENESIS.link, Number.MAX_SAFE_INTEGER, 9223372036854775807n, digest);
    expect(made.toString("hex")).toBe(links[0]?.link.toString("hex"));
  });
  await sealed.owner.query("rollback");
});
