import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@eve/canonical-json";
import { formatInstant } from "@eve/registry-schema";
import { renewed } from "@eve/test-kit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase, deriveKeys, mintCredential } from "../../src/database/database.ts";
import { runCli } from "../../src/program/cli.ts";
import { approved } from "../database/call.ts";
import { createStore, open, type Store, TENANT } from "../database/store.ts";
import { refusedCodes, testIo, type TestIo } from "../program/program-io.ts";
import { ORIGIN, registryBytes } from "../test-registry.ts";
import { type SealedDatabase, sealedDatabase, well } from "./sealed-database.ts";

const REGISTRY = registryBytes({ now: Date.now() });

let sealed: SealedDatabase;
let env: Readonly<Record<string, string>>;
let store: Store;
beforeAll(async () => {
  sealed = await sealedDatabase();
  store = await createStore(sealed.database);
  const { DATABASE_SEALER_URL: _sealer, EVE_BFF_AUDIT_KEY_FILE: _key, ...seen } = sealed.env;
  env = {
    ...seen,
    DATABASE_URL: sealed.database.url,
    EVE_BFF_KEY_FILE: join(sealed.folder, "bff.key"),
    EVE_BFF_LISTEN: "127.0.0.1:0",
    EVE_BFF_PUBLIC_ORIGIN: ORIGIN,
  };
  writeFileSync(join(sealed.folder, "bff.key"), Buffer.alloc(32, 9));
  await sealed.write(2);
  await well(sealed.audit(["seal", "--once"]));
  await sealed.keep();
});
afterEach(() => sealed.restore());
afterAll(async () => {
  await Promise.all([store.bff.close(), store.owner.end(), store.service.end()]);
  await sealed[Symbol.asyncDispose]();
});

/** The codes that `bff serve` is refused with. */
async function refused(
  changes: Readonly<Record<string, string>> = {},
  registry = REGISTRY,
): Promise<readonly string[]> {
  const { io, err, out } = testIo({ ...env, ...changes }, registry);
  expect(await runCli(["serve"], io)).toBe(78);
  expect(out()).toBe("");
  return refusedCodes(err());
}

interface Served extends TestIo {
  readonly address: string;
  readonly ended: Promise<number>;
  /** The code that an agent's call is answered with; `ok` where it is served. */
  readonly call: () => Promise<unknown>;
  /** What readiness says is missing; none where nothing is. */
  readonly missing: () => Promise<unknown>;
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

async function serve(
  changes: Readonly<Record<string, string>> = {},
  registry = REGISTRY,
): Promise<Served> {
  const io = testIo({ ...env, ...changes }, registry);
  const ended = runCli(["serve"], io.io);
  await expect.poll(io.out, { timeout: 20_000 }).toContain("bff.listening");
  const { address }: { address: string } = JSON.parse(io.out());
  const bearer = await mintCredential(sealed.database.ownerUrl, deriveKeys(Buffer.alloc(32, 9)), {
    class: "agent",
    realm: "local",
    principal: "team:a",
    actor: "agent:1",
    tenant: TENANT,
    scopes: ["workbench:read"],
    expiresAt: formatInstant(Date.now() + 86_400_000),
  });
  return {
    ...io,
    address,
    ended,
    call: async () => {
      const response = await fetch(`${address}/v1/whoami`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      return memberOf(await response.json(), "code") ?? "ok";
    },
    missing: async () => {
      return memberOf(await (await fetch(`${address}/readyz`)).json(), "detail");
    },
  };
}

describe("bff serve, told where the audit checkpoints are", () => {
  test("serves a database that has what the newest one proves, and rows after it", async () => {
    await sealed.write(1);
    await sealed.owner.query("select 1");
    const served = await serve();
    expect(await served.missing()).toBeUndefined();
    expect(await served.call()).toBe("ok");
    served.stop();
    expect(await served.ended).toBe(0);
  });

  test("is refused on a database whose chain lost its tail: audit.rolled_back (D34)", async () => {
    await sealed.tamper("delete from bff.audit_chain where seq = 2; delete from bff.audit");
    expect(await refused()).toEqual(["audit.rolled_back"]);
  });

  test("is refused on a database that went another way since: audit.rolled_back", async () => {
    await sealed.tamper("delete from bff.audit_chain; delete from bff.audit");
    await sealed.write(3);
    const sealer = await open(sealed.database.sealerUrl);
    await sealer.query("select bff.seal_audit(100, null)");
    const { rows } = await sealer.query("select seq from bff.audit_chain");
    await sealer.end();
    expect(rows).toHaveLength(3);
    expect(await refused()).toEqual(["audit.rolled_back"]);
  });

  test.each([
    ["gone", undefined],
    ["empty", (): string => ""],
    [
      "corrupt before its newest line",
      (lines: readonly string[]): string => `{}\n${lines.join("\n")}\n`,
    ],
  ] as const)(
    "is refused with a file that is %s: audit.checkpoint_unreadable",
    async (_, content) => {
      if (content === undefined) rmSync(sealed.checkpoints);
      else writeFileSync(sealed.checkpoints, content(sealed.lines()));
      expect(await refused()).toEqual(["audit.checkpoint_unreadable"]);
    },
  );

  test("is refused with checkpoints of another environment or key: audit.checkpoint_untrusted", async () => {
    expect(await refused({ EVE_BFF_ENVIRONMENT: "elsewhere" })).toEqual([
      "audit.checkpoint_untrusted",
    ]);
    const [key, shown] = [join(sealed.folder, "other.key"), join(sealed.folder, "other.pub")];
    await well(sealed.audit(["keygen", "--key", key, "--public", shown]));
    expect(await refused({ EVE_BFF_AUDIT_PUBLIC_KEY: shown })).toEqual([
      "audit.checkpoint_untrusted",
    ]);
  });

  test("is refused with one setting of the two, or a key that is none: configuration.missing, configuration.invalid", async () => {
    expect(await refused({ EVE_BFF_AUDIT_PUBLIC_KEY: "" })).toEqual(["configuration.missing"]);
    expect(await refused({ EVE_BFF_AUDIT_CHECKPOINTS: "" })).toEqual(["configuration.missing"]);
    expect(await refused({ EVE_BFF_AUDIT_PUBLIC_KEY: join(sealed.folder, "bff.key") })).toEqual([
      "configuration.invalid",
    ]);
  });

  test("refuses calls from the moment the database beneath it is an older one, until it is started again: audit.rolled_back", async () => {
    const served = await serve();
    expect(await served.call()).toBe("ok");
    await sealed.tamper("delete from bff.audit_chain where seq = 2");
    await expect.poll(served.call, { timeout: 10_000 }).toBe("audit.rolled_back");
    expect(await served.missing()).toBe("missing: audit (audit.rolled_back)");
    const page = await fetch(`${served.address}/consents/x`, {
      method: "POST",
      headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ step: "show", credential: "x" }),
    });
    expect([page.status, await page.text()]).toEqual([
      503,
      expect.stringContaining("audit.rolled_back"),
    ]);
    await sealed.restore();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await served.call()).toBe("audit.rolled_back");
    served.stop();
    expect(await served.ended).toBe(0);
  });

  test("refuses calls while its checkpoints cannot be read, and no longer: audit.checkpoint_unreadable", async () => {
    const served = await serve();
    renameSync(sealed.checkpoints, `${sealed.checkpoints}.away`);
    await expect.poll(served.call, { timeout: 10_000 }).toBe("audit.checkpoint_unreadable");
    renameSync(`${sealed.checkpoints}.away`, sealed.checkpoints);
    await expect.poll(served.call, { timeout: 10_000 }).toBe("ok");
    served.stop();
    expect(await served.ended).toBe(0);
  });
});

/** With no destination on this machine, as an entry of production must be. */
function elsewhere(entry: JsonObject): JsonObject {
  const { credentials, destinations } = entry;
  const moved: unknown = JSON.parse(
    JSON.stringify({ credentials, destinations }).replaceAll(
      ORIGIN,
      "https://workbench.eve.example",
    ),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of JSON
  return { ...entry, ...(moved as JsonObject) };
}

/** A registry whose entry is of production. */
function live(): Uint8Array {
  return registryBytes({
    now: Date.now(),
    sequence: 2,
    entry: (good) => renewed({ ...elsewhere(good), deployment: "production" }),
  });
}

describe("bff serve, not told", () => {
  const none = { EVE_BFF_AUDIT_CHECKPOINTS: "", EVE_BFF_AUDIT_PUBLIC_KEY: "" };

  test("is refused in production: configuration.missing", async () => {
    expect(await refused(none, live())).toEqual(["configuration.missing", "configuration.missing"]);
  });

  test("serves elsewhere, and refuses calls once its entry becomes one of production: configuration.missing", async () => {
    let bytes = REGISTRY;
    const io = testIo({ ...env, ...none }, REGISTRY);
    const ended = runCli(["serve"], { ...io.io, readRegistry: () => ({ bytes }) });
    await expect.poll(io.out, { timeout: 20_000 }).toContain("bff.listening");
    const { address }: { address: string } = JSON.parse(io.out());
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    bytes = live();
    expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({
      detail: "missing: audit (configuration.missing)",
    });
    io.stop();
    expect(await ended).toBe(0);
  });
});

/** The same server and role, another database. */
function urlOf(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

test("a database restored from a backup taken before a consume is refused, where the approval could be used again: audit.rolled_back (CC-10, D34)", async () => {
  const source = await sealedDatabase();
  const owned = await createStore(source.database);
  const asked = await approved(owned);
  await well(source.audit(["seal", "--once"]));
  await Promise.all([
    owned.bff.close(),
    owned.owner.end(),
    owned.service.end(),
    source.owner.end(),
  ]);

  // The backup, with the approval and without its use. PostgreSQL copies only a database that nobody is connected to.
  const backup = `${new URL(source.database.url).pathname.slice(1)}_backup`;
  const admin = await open(urlOf(source.database.ownerUrl, "postgres"));
  const original = new URL(source.database.url).pathname.slice(1);
  await expect
    .poll(
      () =>
        admin.query(`create database "${backup}" template "${original}"`).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);

  const used = connectDatabase({ url: source.database.url, keys: owned.keys });
  expect(await used.executeConsent(asked.agent, asked.view.id, asked.call)).toMatchObject({
    ok: true,
  });
  await used.close();
  await well(source.audit(["seal", "--once"]));
  copyFileSync(source.checkpoints, join(source.folder, "kept-elsewhere"));

  const settings = {
    ...env,
    EVE_BFF_AUDIT_CHECKPOINTS: source.checkpoints,
    EVE_BFF_AUDIT_PUBLIC_KEY: source.env["EVE_BFF_AUDIT_PUBLIC_KEY"] ?? "",
  };
  const restored = { DATABASE_URL: urlOf(source.database.url, backup) };
  expect(await refused({ ...settings, ...restored })).toEqual(["audit.rolled_back"]);
  // Nor does a sealer go on with it, or verifying pass.
  const sealer = { DATABASE_SEALER_URL: urlOf(source.database.sealerUrl, backup) };
  const seal = await source.audit(["seal", "--once"], sealer);
  expect([seal.code, refusedCodes(seal.err)]).toEqual([78, ["audit.rolled_back"]]);
  const verified = await source.audit(["verify"], sealer);
  expect([verified.code, verified.out]).toEqual([1, expect.stringContaining("audit.rolled_back")]);
  // What it is refused for: there the same approval has its effect a second time.
  const unguarded = connectDatabase({ url: restored.DATABASE_URL, keys: owned.keys });
  expect(await unguarded.executeConsent(asked.agent, asked.view.id, asked.call)).toMatchObject({
    ok: true,
  });
  await unguarded.close();
  // And the one that was not restored is served.
  const served = await serve({ ...settings, DATABASE_URL: source.database.url });
  expect(await served.missing()).toBeUndefined();
  served.stop();
  expect(await served.ended).toBe(0);

  await admin.query(`drop database "${backup}" with (force)`).catch(() => undefined);
  await admin.end();
  await source.database.drop();
  rmSync(source.folder, { recursive: true, force: true });
});
