import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../src/program/cli.ts";
import { refusedCodes, testIo } from "../program/program-io.ts";
import { type SealedDatabase, sealedDatabase, verdict, well } from "./sealed-database.ts";

let sealed: SealedDatabase;
/** Ids of the six rows, two under each checkpoint. */
let ids: readonly string[];
beforeAll(async () => {
  sealed = await sealedDatabase();
  for (const tenant of ["acme", "globex", "acme"]) {
    await sealed.write(2, tenant);
    await well(sealed.audit(["seal", "--once"]));
  }
  const { rows } = await sealed.owner.query<{ row_id: string }>(
    "select row_id from bff.audit_chain order by seq",
  );
  ids = rows.map(({ row_id }) => row_id);
  await sealed.keep();
});
afterEach(() => sealed.restore());
afterAll(() => sealed[Symbol.asyncDispose]());

/** Makes the chain again from the rows as they are, as somebody does who has the database and its functions. */
const RECHAIN = `
create temp table old_chain on commit drop as select * from bff.audit_chain order by seq;
delete from bff.audit_chain;
do $$
declare r record; v_link bytea := decode(repeat('00', 32), 'hex'); v_digest bytea; v_seq bigint := 0;
begin
  for r in select a.* from bff.audit a join old_chain c on c.row_id = a.id order by c.seq loop
    v_seq := v_seq + 1;
    select bff.audit_row_digest(a) into v_digest from bff.audit a where a.id = r.id;
    insert into bff.audit_chain values (v_seq, r.id, v_digest, v_link, bff.audit_link(v_link, v_seq, r.id, v_digest));
    select link into v_link from bff.audit_chain where seq = v_seq;
  end loop;
end $$;`;

describe("bff audit verify", () => {
  test("says that all is as it was sealed, and up to where it is proven", async () => {
    const { code, out, err } = await sealed.audit(["verify"]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: "The audit chain is as it was sealed: 6 links, proven up to link 6.\n",
      err: "",
    });
    expect(sealed.lines()).toHaveLength(4);
  });

  test("tells how far it is where it takes long, on stderr", async () => {
    const { io, out, err } = testIo(sealed.env);
    let now = 0;
    expect(await runCli(["audit", "verify"], { ...io, now: () => (now += 6_000) })).toBe(0);
    expect(out()).toContain("6 links");
    expect(JSON.parse(err())).toEqual({ event: "bff.audit_progress", links: 6 });
  });

  test("names what is not chained yet, and does not fail for it", async () => {
    await sealed.write(3, "initech");
    const { code, told } = await verdict(sealed);
    expect(code).toBe(0);
    const next = Number(ids.at(-1)) + 1;
    expect(told).toMatchObject({
      ok: true,
      links: 6,
      provenTo: 6,
      unsealed: { rows: 3, ids: [0, 1, 2].map((more) => String(next + more)) },
    });
    expect((await sealed.audit(["verify"])).out).toContain("Not chained yet: 3 rows");
  });

  test("names what is chained and under no checkpoint yet", async () => {
    await sealed.write(1);
    copyFileSync(sealed.checkpoints, join(sealed.folder, "before"));
    await well(sealed.audit(["seal", "--once"]));
    copyFileSync(join(sealed.folder, "before"), sealed.checkpoints);
    const { code, out } = await sealed.audit(["verify"]);
    expect(code).toBe(0);
    expect(out).toContain("7 links, proven up to link 6");
    expect(out).toContain("not proven yet: 1 links");
  });

  test.each([
    ["at", "at = at + interval '1 microsecond'"],
    ["tenant", "tenant = 'globex2'"],
    ["actor", "actor = 'agent:2'"],
    ["principal", "principal = 'team:b'"],
    ["credential", "credential = gen_random_uuid()"],
    ["action", "action = 'consent.declined'"],
    ["subject", "subject = 'consent-2'"],
    ["code, from none to an empty one", "code = ''"],
    ["detail", `detail = '{"itemId": "item-1", "version": 5}'`],
  ])("finds a row whose %s was edited: audit.altered", async (_, change) => {
    await sealed.tamper(`update bff.audit set ${change} where id = ${ids[2]}`);
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({
      ok: false,
      links: 2,
      provenTo: 2,
      wrong: { code: "audit.altered", subject: `link 3 (audit row ${ids[2]})` },
    });
  });

  test("finds a row in another's place: audit.altered", async () => {
    await sealed.tamper(
      `update bff.audit a set at = b.at, credential = b.credential from bff.audit b where a.id = ${ids[2]} and b.id = ${ids[3]}`,
    );
    expect((await verdict(sealed)).told).toMatchObject({
      wrong: { code: "audit.altered", subject: `link 3 (audit row ${ids[2]})` },
    });
  });

  test("finds a row that was deleted, the newest too: audit.altered (D34)", async () => {
    await sealed.tamper(`delete from bff.audit where id = ${ids[5]}`);
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({
      links: 5,
      wrong: { code: "audit.altered", subject: `link 6 (audit row ${ids[5]})` },
    });
  });

  test.each([
    ["row digest", "row_digest = sha256('x')"],
    ["link", "link = sha256('x')"],
    ["link before", "previous = sha256('x')"],
    ["row", "row_id = 999999"],
  ])("finds a link whose %s was edited: audit.altered", async (_, change) => {
    await sealed.tamper(`update bff.audit_chain set ${change} where seq = 4`);
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({ links: 3, provenTo: 2, wrong: { code: "audit.altered" } });
    expect(JSON.stringify(told)).toContain("link 4 ");
  });

  test("finds a gap in the chain: audit.altered", async () => {
    await sealed.tamper("delete from bff.audit_chain where seq = 4");
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({ links: 3, wrong: { code: "audit.altered", subject: "link 4" } });
  });

  test("finds a tail that was cut with all its links, though what is left is whole: audit.rolled_back (D34)", async () => {
    await sealed.tamper(
      `delete from bff.audit_chain where seq > 4; delete from bff.audit where id in (${ids[4]}, ${ids[5]})`,
    );
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({
      links: 4,
      provenTo: 4,
      wrong: { code: "audit.rolled_back", subject: "link 5" },
    });
  });

  test("finds a history that was edited and chained again, between which checkpoints: audit.rolled_back", async () => {
    await sealed.tamper(`update bff.audit set actor = 'agent:2' where id = ${ids[3]}; ${RECHAIN}`);
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({
      provenTo: 2,
      wrong: { code: "audit.rolled_back", subject: `link 4 (audit row ${ids[3]})` },
    });
    // Chained again as it was, it is the same chain: nothing is lost, and nothing is found.
    await sealed.tamper(`update bff.audit set actor = 'agent:1' where id = ${ids[3]}; ${RECHAIN}`);
    expect((await verdict(sealed)).code).toBe(0);
  });

  test("finds a checkpoint with a wrong signature, by its line: audit.checkpoint_untrusted", async () => {
    const lines = sealed.lines();
    const forged = lines.with(2, (lines[2] ?? "").replace('"seq":4', '"seq":5'));
    writeFileSync(sealed.checkpoints, `${forged.join("\n")}\n`);
    const { code, told } = await verdict(sealed);
    expect(code).toBe(1);
    expect(told).toMatchObject({
      wrong: {
        code: "audit.checkpoint_untrusted",
        subject: `${sealed.checkpoints}, line 3`,
        actual: "signature_invalid",
      },
    });
  });

  test("finds checkpoints of another environment, and of another sealer's key: audit.checkpoint_untrusted", async () => {
    const other = await verdict(sealed, { EVE_BFF_ENVIRONMENT: "elsewhere" });
    expect(other.code).toBe(1);
    expect(other.told).toMatchObject({
      wrong: { code: "audit.checkpoint_untrusted", actual: "other_environment" },
    });
    const [key, shown] = [join(sealed.folder, "k2"), join(sealed.folder, "p2")];
    await well(sealed.audit(["keygen", "--key", key, "--public", shown]));
    const unknown = await verdict(sealed, { EVE_BFF_AUDIT_PUBLIC_KEY: shown });
    expect(unknown.told).toMatchObject({
      wrong: { code: "audit.checkpoint_untrusted", actual: "signature_invalid" },
    });
  });

  test.each([
    ["that is gone", undefined],
    ["that is empty", ""],
    ["that is no JSON", "not a checkpoint\n"],
    ["with a field more", '{"at":"2026-12-01T00:00:00.000Z","more":1}\n'],
  ])("cannot check by a file %s: audit.checkpoint_unreadable, exit 78", async (_, content) => {
    const file = join(sealed.folder, "other.jsonl");
    if (content !== undefined) writeFileSync(file, content);
    const { code, out, err } = await sealed.audit(["verify", "--checkpoints", file]);
    expect([code, out]).toEqual([78, ""]);
    expect(refusedCodes(err)).toEqual(["audit.checkpoint_unreadable"]);
  });

  test("cannot check by lines that do not rise: audit.checkpoint_unreadable", async () => {
    const [first = "", second = "", ...more] = sealed.lines();
    writeFileSync(sealed.checkpoints, `${[second, first, ...more].join("\n")}\n`);
    const { code, err } = await sealed.audit(["verify"]);
    expect(code).toBe(78);
    expect(refusedCodes(err)).toEqual(["audit.checkpoint_unreadable"]);
  });

  test("needs its settings: configuration.missing; a key that is public: configuration.invalid", async () => {
    const none = await sealed.audit(["verify"], {
      DATABASE_SEALER_URL: "",
      EVE_BFF_ENVIRONMENT: "",
      EVE_BFF_AUDIT_CHECKPOINTS: "",
      EVE_BFF_AUDIT_PUBLIC_KEY: "",
    });
    expect(none.code).toBe(78);
    expect(refusedCodes(none.err)).toEqual(Array(4).fill("configuration.missing"));
    const secret = readFileSync(sealed.env["EVE_BFF_AUDIT_KEY_FILE"] ?? "", "utf8");
    const wrong = await sealed.audit([
      "verify",
      "--key",
      sealed.env["EVE_BFF_AUDIT_KEY_FILE"] ?? "",
    ]);
    expect(refusedCodes(wrong.err)).toEqual(["configuration.invalid"]);
    expect(wrong.err).not.toContain(secret.split("\n")[1]);
  });

  test("cannot check a database that is away, or as a role that may not read it: service.unavailable", async () => {
    for (const url of ["postgres://u:CANARY@127.0.0.1:1/none", sealed.database.url]) {
      const { code, err } = await sealed.audit(["verify"], { DATABASE_SEALER_URL: url });
      expect(code).toBe(78);
      expect(refusedCodes(err)).toEqual(["service.unavailable"]);
      expect(err).not.toContain("CANARY");
    }
  });
});
