import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../src/program/cli.ts";
import { open } from "../database/store.ts";
import { refusedCodes, testIo, type TestIo } from "../program/program-io.ts";
import { ROW, type SealedDatabase, sealedDatabase, verdict, well } from "./sealed-database.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

let sealed: SealedDatabase;
const opened: pg.Client[] = [];
beforeEach(async () => {
  sealed = await sealedDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.end()));
  await sealed[Symbol.asyncDispose]();
});

async function connected(url = sealed.database.ownerUrl): Promise<pg.Client> {
  const client = await open(url);
  opened.push(client);
  return client;
}

/** Begins a transaction that has written an audit row. */
async function writing(): Promise<pg.Client> {
  const client = await connected();
  await client.query("begin");
  await client.query("select set_config('eve.tenant', 'acme', true)");
  await client.query(ROW, ["acme"]);
  return client;
}

/** A sealer that goes on until it is stopped. */
function sealing(): TestIo & { readonly ended: Promise<number> } {
  const io = testIo(sealed.env);
  return { ...io, ended: runCli(["audit", "seal"], io.io) };
}

async function chained(): Promise<readonly string[]> {
  const client = await connected(sealed.database.sealerUrl);
  const { rows } = await client.query<{ row_id: string }>(
    "select row_id from bff.audit_chain order by seq",
  );
  return rows.map(({ row_id }) => row_id);
}

describe("bff audit keygen", () => {
  test("makes a secret key that this user alone can read, and tells the paths alone", async () => {
    const [key, shown] = [join(sealed.folder, "a.key"), join(sealed.folder, "a.pub")];
    const out = await well(sealed.audit(["keygen", "--key", key, "--public", shown]));
    expect(JSON.parse(out)).toEqual({ event: "bff.audit_keys_made", key, public: shown });
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(readFileSync(shown, "utf8")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });

  test("writes over no key, and leaves none where the other is there", async () => {
    const [key, shown] = [join(sealed.folder, "b.key"), join(sealed.folder, "b.pub")];
    writeFileSync(shown, "mine");
    const { code, err } = await sealed.audit(["keygen", "--key", key, "--public", shown]);
    expect(code).toBe(70);
    expect(err).toContain("EEXIST");
    expect(readFileSync(shown, "utf8")).toBe("mine");
    expect(() => statSync(key)).toThrow("ENOENT");
  });
});

describe("bff audit seal", () => {
  test("chains rows of all tenants within a second of their commit, and signs a checkpoint each time", async () => {
    const sealer = sealing();
    await expect.poll(sealer.out).toContain("bff.audit_sealing");
    for (const tenant of ["acme", "globex", "initech"]) {
      const before = sealed.lines().length;
      await sealed.write(1, tenant);
      const begun = performance.now();
      await expect
        .poll(() => sealed.lines().length, { interval: 20, timeout: 10_000 })
        .toBe(before + 1);
      // Within a second where the machine has nothing else to do; here others use it too.
      expect(performance.now() - begun).toBeLessThan(5_000);
    }
    sealer.stop();
    expect(await sealer.ended).toBe(0);
    expect(sealer.err()).toBe("");
    expect((await verdict(sealed)).told).toMatchObject({ ok: true, links: 3, provenTo: 3 });
  });

  test("chains rows whose lower id committed later, and leaves out what was rolled back", async () => {
    const [first, gone, third] = [await writing(), await writing(), await writing()];
    await third.query("commit");
    await well(sealed.audit(["seal", "--once"]));
    await gone.query("rollback");
    await first.query("commit");
    await well(sealed.audit(["seal", "--once"]));
    const ids = (await chained()).map(Number);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(Number(ids[1]) + 2);
    expect((await verdict(sealed)).told).toMatchObject({
      ok: true,
      links: 2,
      unsealed: { rows: 0 },
    });
  });

  test("finds a row that committed after very many others, once it looks at all", async () => {
    const late = await writing();
    await sealed.owner.query("begin");
    await sealed.owner.query("select set_config('eve.tenant', 'acme', true)");
    await sealed.owner.query(
      `${ROW.replace(/values/, "select")
        .replace(/\(bff\.clock/, "bff.clock")
        .replace(/\)$/, "")} from generate_series(1, 21000)`,
      ["acme"],
    );
    await sealed.owner.query("commit");
    const sealer = sealing();
    await expect
      .poll(async () => (await chained()).length, { timeout: 60_000, interval: 300 })
      .toBe(21_000);
    await late.query("commit");
    sealer.stop();
    await sealer.ended;
    await well(sealed.audit(["seal", "--once"]));
    expect((await verdict(sealed)).told).toMatchObject({
      ok: true,
      links: 21_001,
      unsealed: { rows: 0 },
    });
  });

  test("may run twice at once, and under concurrent writes each row is chained once", async () => {
    const sealers = [sealing(), sealing(), sealing()];
    const writers = await Promise.all([1, 2, 3, 4].map(() => connected()));
    await Promise.all(
      writers.map(async (client, at) => {
        for (let row = 0; row < 50; row += 1) {
          await client.query("begin");
          await client.query("select set_config('eve.tenant', 'acme', true)");
          await client.query(ROW, ["acme"]);
          await client.query("select pg_sleep($1)", [at / 1_000]);
          await client.query(row % 10 === 9 ? "rollback" : "commit");
        }
      }),
    );
    await expect.poll(async () => (await chained()).length, { timeout: 20_000 }).toBe(180);
    for (const sealer of sealers) sealer.stop();
    expect(await Promise.all(sealers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    expect(sealers.map(({ err }) => err())).toEqual(["", "", ""]);
    expect(new Set(await chained()).size).toBe(180);
    expect((await verdict(sealed)).told).toMatchObject({ ok: true, links: 180, provenTo: 180 });
  });

  test("killed between its commit and its checkpoint is mended by the next", async () => {
    await sealed.write(3);
    // Holds the lock that a checkpoint is written under, so that the sealer waits with its rows committed.
    const holder = await connected(sealed.database.sealerUrl);
    await holder.query("begin");
    await holder.query(
      "select pg_advisory_xact_lock(hashtextextended('eve/audit-checkpoint/1', 0))",
    );
    const child: ChildProcess = spawn(
      process.execPath,
      ["--conditions=@eve/source", MAIN, "audit", "seal"],
      { env: { PATH: process.env["PATH"], ...sealed.env }, stdio: "ignore" },
    );
    const ended = once(child, "exit");
    await expect.poll(async () => (await chained()).length, { timeout: 30_000 }).toBe(3);
    child.kill("SIGKILL");
    await ended;
    await holder.query("rollback");
    expect(sealed.lines()).toHaveLength(1);
    expect((await verdict(sealed)).told).toMatchObject({ ok: true, links: 3, provenTo: 0 });
    await well(sealed.audit(["seal", "--once"]));
    expect(sealed.lines()).toHaveLength(2);
    expect((await verdict(sealed)).told).toMatchObject({ ok: true, links: 3, provenTo: 3 });
  });

  test("goes on when its connections are cut, and says so", async () => {
    const sealer = sealing();
    await sealed.write(1);
    await expect.poll(() => sealed.lines().length, { timeout: 10_000 }).toBe(2);
    const admin = await connected(sealed.database.sealerUrl);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'eve-bff-sealer' and datname = current_database() and pid <> pg_backend_pid()",
    );
    await sealed.write(1);
    await expect.poll(() => sealed.lines().length, { timeout: 10_000 }).toBe(3);
    expect(sealer.err()).toContain("bff.audit_fault");
    sealer.stop();
    expect(await sealer.ended).toBe(0);
  });

  test("signs nothing over a row that was changed after it was chained: audit.altered", async () => {
    await sealed.write(2);
    copyFileSync(sealed.checkpoints, join(sealed.folder, "before"));
    await well(sealed.audit(["seal", "--once"]));
    copyFileSync(join(sealed.folder, "before"), sealed.checkpoints);
    await sealed.tamper("update bff.audit set actor = 'agent:2'");
    const { code, err } = await sealed.audit(["seal", "--once"]);
    expect(code).toBe(78);
    expect(refusedCodes(err)).toEqual(["audit.altered"]);
    expect(sealed.lines()).toHaveLength(1);
  });

  test("adds nothing to a chain that lost what was signed, once and while it runs: audit.rolled_back", async () => {
    await sealed.write(2);
    const sealer = sealing();
    await expect.poll(() => sealed.lines().at(-1), { timeout: 10_000 }).toContain('"seq":2');
    const signed = sealed.lines();
    // The row too: a round that has just begun would chain it again, with the very link that was signed.
    await sealed.tamper(`
      delete from bff.audit a using bff.audit_chain c where c.seq = 2 and a.id = c.row_id;
      delete from bff.audit_chain where seq = 2`);
    await sealed.write(1);
    expect(await sealer.ended).toBe(78);
    expect(refusedCodes(sealer.err())).toEqual(["audit.rolled_back"]);
    const { code, err } = await sealed.audit(["seal", "--once"]);
    expect(code).toBe(78);
    expect(refusedCodes(err)).toEqual(["audit.rolled_back"]);
    expect(sealed.lines()).toEqual(signed);
  });

  test("never begins by itself: a file that is gone, empty or another's is refused", async () => {
    const file = join(sealed.folder, "none.jsonl");
    const run = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const { code, err } = await sealed.audit(["seal"], env);
      expect(code).toBe(78);
      return refusedCodes(err);
    };
    expect(await run({ EVE_BFF_AUDIT_CHECKPOINTS: file })).toEqual(["audit.checkpoint_unreadable"]);
    writeFileSync(file, "");
    expect(await run({ EVE_BFF_AUDIT_CHECKPOINTS: file })).toEqual(["audit.checkpoint_unreadable"]);
    expect(await run({ EVE_BFF_ENVIRONMENT: "elsewhere" })).toEqual(["audit.checkpoint_untrusted"]);
  });

  test("needs its settings, and a key that nobody else can read: configuration.missing, configuration.invalid", async () => {
    const { io, err } = testIo();
    expect(await runCli(["audit", "seal"], io)).toBe(78);
    expect(refusedCodes(err())).toEqual(Array(4).fill("configuration.missing"));
    const key = sealed.env["EVE_BFF_AUDIT_KEY_FILE"] ?? "";
    chmodSync(key, 0o640);
    const readable = await sealed.audit(["seal", "--once"]);
    expect(refusedCodes(readable.err)).toEqual(["configuration.invalid"]);
    const wrong = await sealed.audit(["seal", "--once"], {
      EVE_BFF_AUDIT_KEY_FILE: sealed.env["EVE_BFF_AUDIT_PUBLIC_KEY"] ?? "",
    });
    expect(refusedCodes(wrong.err)).toEqual(["configuration.invalid"]);
  });

  test("is told that its database is away: service.unavailable", async () => {
    const away = { DATABASE_SEALER_URL: "postgres://u:CANARY@127.0.0.1:1/none" };
    for (const argv of [["seal", "--once"], ["begin"]]) {
      const { code, err } = await sealed.audit(argv, {
        ...away,
        ...(argv[0] === "begin" && { EVE_BFF_AUDIT_CHECKPOINTS: join(sealed.folder, "new") }),
      });
      expect(code).toBe(78);
      expect(refusedCodes(err)).toEqual(["service.unavailable"]);
      expect(err).not.toContain("CANARY");
    }
  });
});

describe("bff audit begin", () => {
  test("signs the chain as it is, and only where all of it is as it was sealed: audit.altered", async () => {
    await sealed.write(2);
    await well(sealed.audit(["seal", "--once"]));
    const other = {
      EVE_BFF_AUDIT_CHECKPOINTS: join(sealed.folder, "other.jsonl"),
      EVE_BFF_ENVIRONMENT: "another",
    };
    expect(JSON.parse(await well(sealed.audit(["begin"], other)))).toMatchObject({
      event: "bff.audit_begun",
      seq: 2,
    });
    expect((await verdict(sealed, other)).told).toMatchObject({ ok: true, links: 2, provenTo: 2 });
    await sealed.tamper("update bff.audit set actor = 'agent:2'");
    const third = { EVE_BFF_AUDIT_CHECKPOINTS: join(sealed.folder, "third.jsonl") };
    const { code, err } = await sealed.audit(["begin"], third);
    expect(code).toBe(78);
    expect(refusedCodes(err)).toEqual(["audit.altered"]);
    expect(() => statSync(third.EVE_BFF_AUDIT_CHECKPOINTS)).toThrow("ENOENT");
  });

  test("writes over no checkpoints", async () => {
    const before = sealed.lines();
    const { code, err } = await sealed.audit(["begin"]);
    expect(code).toBe(70);
    expect(err).toContain("EEXIST");
    expect(sealed.lines()).toEqual(before);
  });
});
