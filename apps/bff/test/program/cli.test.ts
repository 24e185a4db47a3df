import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@eve/local-postgres/vitest";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearerMac } from "../../src/credentials/bearer.ts";
import { connectDatabase, deriveKeys } from "../../src/database/database.ts";
import { runCli } from "../../src/program/cli.ts";
import { expiryFrom } from "../../src/program/expiry.ts";
import { ORIGIN, registryBytes } from "../test-registry.ts";
import { refusedCodes, testIo } from "./program-io.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
let env: Readonly<Record<string, string>> = {};
const folder = mkdtempSync(join(tmpdir(), "eve-bff-"));
const BEARER = /^eve_local_agent_[A-Za-z0-9_-]{43}\n$/;

beforeAll(async () => {
  database = await createDatabase();
  const key = join(folder, "key");
  writeFileSync(key, Buffer.alloc(32, 9));
  env = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    EVE_BFF_KEY_FILE: key,
    EVE_BFF_LISTEN: "127.0.0.1:0",
    EVE_BFF_PUBLIC_ORIGIN: ORIGIN,
  };
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function credentialFlags(...more: readonly string[]): readonly string[] {
  const who = [
    "--class",
    "agent",
    "--realm",
    "local",
    "--principal",
    "team:a",
    "--actor",
    "agent:1",
    "--tenant",
    "t1",
  ];
  return [
    "credentials",
    ...who,
    "--scope",
    "workbench:read",
    "--scope",
    "workbench:write",
    ...more,
  ];
}

describe("bff credentials", () => {
  test("shows the bearer once, on stdout", async () => {
    const { io, out, err } = testIo(env);
    expect(await runCli(credentialFlags("--expires", "12h"), io)).toBe(0);
    expect(out()).toMatch(BEARER);
    expect(err()).toBe("");
  });

  test("writes it to a new file that this user alone can read, and tells the path alone", async () => {
    const file = join(folder, "bearer");
    const { io, out } = testIo(env);
    expect(await runCli(credentialFlags("--expires", "1d", "--to", file), io)).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(BEARER);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(out())).toEqual({ event: "bff.credential_minted", file });
  });

  test("mints nothing where the file is there already, and leaves none where minting fails", async () => {
    const [there, fresh] = [join(folder, "there"), join(folder, "fresh")];
    writeFileSync(there, "mine");
    const { io, err } = testIo(env);
    expect(await runCli(credentialFlags("--expires", "1d", "--to", there), io)).toBe(70);
    expect(err()).toContain("EEXIST");
    expect(readFileSync(there, "utf8")).toBe("mine");
    const away = testIo({ ...env, DATABASE_OWNER_URL: "postgres://u:CANARY@127.0.0.1:1/none" });
    expect(await runCli(credentialFlags("--expires", "1d", "--to", fresh), away.io)).toBe(70);
    expect(() => statSync(fresh)).toThrow("ENOENT");
    expect(away.err()).not.toContain("CANARY");
  });

  test.each([
    [["--expires", "soon"]],
    [["--expires", "2020-01-01T00:00:00Z"]],
    [[]],
    [["--expires", "1d", "--class", "admin"]],
    [["--expires", "1d", "--realm", "test"]],
    [["--expires", "1d", "--password", "x"]],
  ])("refuses the words %j with exit code 2", async (more) => {
    const { io, out, err } = testIo(env);
    expect(await runCli(credentialFlags(...more), io)).toBe(2);
    expect(out()).toBe("");
    expect(err()).toContain("--help");
  });

  test("needs the owner's database and the keys: configuration.missing", async () => {
    const { io, err } = testIo({ DATABASE_URL: "postgres://u:CANARY@h/d" });
    expect(await runCli(credentialFlags("--expires", "1d"), io)).toBe(78);
    expect(refusedCodes(err())).toEqual(["configuration.missing", "configuration.missing"]);
    expect(err()).not.toContain("CANARY");
  });

  test.each([
    ["12h", "2026-12-02T00:00:00Z"],
    ["30d", "2026-12-31T12:00:00Z"],
    ["2026-12-01T12:00:00.001Z", "2026-12-01T12:00:00.001Z"],
  ])("ends at %s, which is %s", (text, instant) => {
    expect(expiryFrom(text, Date.parse("2026-12-01T12:00:00Z"))).toBe(instant);
  });

  test.each(["0h", "2026-12-01T12:00:00Z", "2026-02-30T00:00:00Z", "-1d", "1w", ""])(
    "cannot end at %j",
    (text) => {
      expect(() => expiryFrom(text, Date.parse("2026-12-01T12:00:00Z"))).toThrow("Give an instant");
    },
  );
});

/** Runs one `bff credentials …` that is well, and answers its lines. */
async function told(...argv: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { io, out, err } = testIo(env);
  expect(await runCli(["credentials", ...argv], io)).toBe(0);
  expect(err()).toBe("");
  return out()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A new agent's credential: its bearer, and its id as the list tells it last. */
async function minted(): Promise<{ readonly bearer: string; readonly id: string }> {
  const { io, out } = testIo(env);
  expect(await runCli(credentialFlags("--expires", "2030-01-01T00:00:00Z"), io)).toBe(0);
  return { bearer: out().trim(), id: String((await told("list")).at(-1)?.["id"]) };
}

async function auditOf(id: string, action: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query("select set_config('eve.tenant', 't1', false)");
  const { rowCount } = await client.query(
    "select from bff.audit where subject = $1 and action = $2 and actor = 'agent:1'",
    [id, action],
  );
  await client.end();
  return rowCount ?? -1;
}

describe("bff credentials list", () => {
  test("tells whose each is and how long, and nothing of the bearer", async () => {
    const { bearer, id } = await minted();
    const all = await told("list");
    expect(all.at(-1)).toEqual({
      id,
      class: "agent",
      realm: "local",
      principal: "team:a",
      actor: "agent:1",
      tenant: "t1",
      scopes: ["workbench:read", "workbench:write"],
      expiresAt: "2030-01-01T00:00:00Z",
      revokedAt: null,
    });
    const keys = deriveKeys(Buffer.alloc(32, 9));
    for (const secret of [bearer.slice(-43), bearerMac(keys, bearer).toString("hex")])
      expect(JSON.stringify(all)).not.toContain(secret);
  });
});

describe("bff credentials revoke", () => {
  test("ends it at its next request, with one audit row however often it is told: auth.token_invalid", async () => {
    const { bearer, id } = await minted();
    const served = connectDatabase({
      url: database.url,
      keys: deriveKeys(Buffer.alloc(32, 9)),
    });
    try {
      const caller = await served.authenticate(bearer);
      if (!caller.ok) throw new Error("the credential is not valid before");
      const [first] = await told("revoke", id);
      expect(first).toEqual({
        event: "bff.credential_revoked",
        id,
        revokedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      });
      expect(await told("revoke", id)).toEqual([first]);
      expect(await auditOf(id, "credential.revoked")).toBe(1);
      expect((await told("list")).find((row) => row["id"] === id)?.["revokedAt"]).toBe(
        first?.["revokedAt"],
      );
      expect(await served.authenticate(bearer)).toMatchObject({ code: "auth.token_invalid" });
      expect(await served.addNote(caller.value, "item-1", "late")).toMatchObject({
        code: "auth.token_invalid",
      });
    } finally {
      await served.close();
    }
  });

  test("is done once by however many at once", async () => {
    const { id } = await minted();
    const answers = await Promise.all([1, 2, 3, 4].map(() => told("revoke", id)));
    expect(new Set(answers.map((lines) => JSON.stringify(lines))).size).toBe(1);
    expect(await auditOf(id, "credential.revoked")).toBe(1);
  });

  test.each([
    [["revoke", "00000000-0000-4000-8000-000000000000"]],
    [["revoke", "agent:1"]],
    [["revoke"]],
    [["revoke", "00000000-0000-4000-8000-000000000000", "x"]],
    [["list", "x"]],
  ])("refuses the words %j with exit code 2", async (argv) => {
    const { io, out, err } = testIo(env);
    expect(await runCli(["credentials", ...argv], io)).toBe(2);
    expect(out()).toBe("");
    expect(err()).toContain("--help");
  });

  test.each([["list"], ["revoke", "00000000-0000-4000-8000-000000000000"]])(
    "and %s need the owner's database: configuration.missing",
    async (...argv) => {
      const { io, err } = testIo({ DATABASE_URL: database.url });
      expect(await runCli(["credentials", ...argv], io)).toBe(78);
      expect(refusedCodes(err())).toEqual(["configuration.missing"]);
    },
  );
});

describe("bff migrate", () => {
  test("needs the owner's database: configuration.missing", async () => {
    const { io, err } = testIo();
    expect(await runCli(["migrate"], io)).toBe(78);
    expect(refusedCodes(err())).toEqual(["configuration.missing"]);
  });

  test("may be run again", async () => {
    const { io, out } = testIo(env);
    expect(await runCli(["migrate"], io)).toBe(0);
    expect(JSON.parse(out())).toEqual({ event: "bff.migrated" });
  });
});

/** The codes that `bff serve` is refused with. */
async function refused(
  settings: Readonly<Record<string, string>>,
  bytes?: Uint8Array,
): Promise<readonly string[]> {
  const { io, err, out } = testIo(settings, bytes);
  expect(await runCli(["serve"], io)).toBe(78);
  expect(out()).toBe("");
  expect(err()).not.toContain("CANARY");
  expect(err()).toContain("bff is refused and serves nothing.");
  return refusedCodes(err());
}

describe("bff serve", () => {
  const registry = registryBytes({ now: Date.now(), sequence: 5 });

  test("without anything is refused with every cause: configuration.missing, registry.missing", async () => {
    const missing = "configuration.missing";
    expect(await refused({})).toEqual([missing, missing, missing, "registry.missing"]);
  });

  test("is refused with every setting that is malformed, told without a value: configuration.invalid", async () => {
    const settings = {
      ...env,
      DATABASE_URL: "CANARY",
      EVE_BFF_LISTEN: "CANARY",
      EVE_BFF_PUBLIC_ORIGIN: "https://u:CANARY@h",
      EVE_BFF_ENVIRONMENT: "CANARY CANARY",
    };
    expect(await refused(settings, registry)).toEqual(Array(4).fill("configuration.invalid"));
  });

  test("is refused with a registry that is none: registry.unparseable", async () => {
    expect(await refused(env, new TextEncoder().encode("{"))).toEqual(["registry.unparseable"]);
  });

  test("is refused without a database that answers: service.unavailable", async () => {
    const away = { ...env, DATABASE_URL: "postgres://u:CANARY@127.0.0.1:1/none" };
    expect(await refused(away, registry)).toEqual(["service.unavailable"]);
  });

  test("serves until it is stopped, and afterwards an older registry is refused: registry.rollback", async () => {
    const { io, out, err, stop } = testIo(env, registry);
    const ended = runCli(["serve"], io);
    await expect.poll(out, { timeout: 20_000 }).toContain("bff.listening");
    const { address, publicOrigin }: { address: string; publicOrigin: string } = JSON.parse(out());
    expect(publicOrigin).toBe(ORIGIN);
    expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ status: "ready" });
    stop();
    expect(await ended).toBe(0);
    await expect(fetch(`${address}/livez`)).rejects.toThrow("fetch failed");
    expect(err()).toContain('"route":"/readyz"');

    const older = registryBytes({ now: Date.now(), sequence: 4 });
    expect(await refused(env, older)).toEqual(["registry.rollback"]);
    const other = registryBytes({ now: Date.now() - 1000, sequence: 5 });
    expect(await refused(env, other)).toEqual(["registry.rollback"]);
  });
});

describe("the command line", () => {
  test.each([
    [["--help"], 0],
    [["--version"], 0],
    [["credentials", "--help"], 0],
    [["credentials", "mint", "--help"], 0],
    [[], 2],
    [["start"], 2],
  ] as const)("answers %j with exit code %i", async (argv, code) => {
    expect(await runCli(argv, testIo().io)).toBe(code);
  });
});
