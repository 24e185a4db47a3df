import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type LocalPostgres, startLocalPostgres } from "../src/index.ts";
import { codeOf } from "./code-of.ts";
import { newFolder } from "./folders.ts";
import { query } from "./query.ts";

const folder = mkdtempSync(join(tmpdir(), "eve-test-"));
const cluster = join(folder, "cluster");

async function start(at: string = folder, database = "eve"): Promise<LocalPostgres> {
  const server = await startLocalPostgres({ folder: at, durable: true, database });
  onTestFinished(() => server.stop());
  return server;
}

beforeAll(async () => {
  const made = await startLocalPostgres({ folder, durable: true, database: "eve" });
  await made.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a durable database", () => {
  it("keeps its rows, its passwords and fsync over a restart", async () => {
    const server = await start();
    await query(server.ownerUrl, "create table stopped as select 42 as answer");
    await server.stop();
    const again = await start();
    expect(await query(again.ownerUrl, "select answer from stopped")).toEqual([{ answer: 42 }]);
    expect(await query(again.url, "show fsync")).toEqual([{ fsync: "on" }]);
    expect(new URL(again.url).password).toBe(new URL(server.url).password);
  });

  it("keeps what was committed when PostgreSQL is killed", async () => {
    const server = await start();
    await query(server.ownerUrl, "create table killed as select 42 as answer");
    process.kill(server.pid, "SIGKILL");
    const again = await start();
    expect(await query(again.ownerUrl, "select answer from killed")).toEqual([{ answer: 42 }]);
  });

  it("has its passwords in a file that only its user may read", async () => {
    expect(statSync(join(cluster, "passwords.json")).mode & 0o777).toBe(0o600);
    expect(existsSync(join(cluster, "initial-password"))).toBe(false);
  });

  it("is open to the local machine and to its passwords alone", async () => {
    const server = await start();
    const settings = "select setting from pg_settings where name ~ '^(listen|unix_socket_d)'";
    expect(await query(server.adminUrl, `${settings} order by name`)).toEqual([
      { setting: "127.0.0.1" },
      { setting: "" },
    ]);
    const wrong = new URL(server.url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("does not run as root", () => {
    expect(statSync(join(cluster, "data")).uid).not.toBe(0);
  });
});

describe("a second start on one folder", () => {
  it("is refused while the first runs, and says who holds it: folder.in_use", async () => {
    const server = await start();
    const second = startLocalPostgres({ folder, durable: true, database: "eve" });
    await expect(second).rejects.toThrow(`process id ${server.pid} on port`);
    expect(await codeOf(() => start())).toBe("folder.in_use");
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("is refused when both make a new one at once: folder.in_use", async () => {
    const fresh = newFolder();
    const both = await Promise.allSettled([start(fresh), start(fresh)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "folder.in_use" },
    });
  });

  it("goes on while the first is still stopping", async () => {
    const server = await start();
    const [again] = await Promise.all([start(), server.stop()]);
    expect(await query(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("a folder that does not fit", () => {
  it("holds another database: folder.other_database", async () => {
    expect(await codeOf(() => start(folder, "other"))).toBe("folder.other_database");
  });

  it("was made by another major version: folder.other_version", async () => {
    const version = join(cluster, "data", "PG_VERSION");
    renameSync(version, `${version}.kept`);
    onTestFinished(() => renameSync(`${version}.kept`, version));
    writeFileSync(version, "12\n");
    expect(await codeOf(() => start())).toBe("folder.other_version");
  });

  it("has lost its passwords: folder.incomplete", async () => {
    const passwords = join(cluster, "passwords.json");
    renameSync(passwords, `${passwords}.kept`);
    onTestFinished(() => renameSync(`${passwords}.kept`, passwords));
    expect(await codeOf(() => start())).toBe("folder.incomplete");
  });
});

it("refuses a name that SQL would have to quote: database.name_invalid", async () => {
  expect(await codeOf(() => start(newFolder(), 'a"b'))).toBe("database.name_invalid");
});

it("removes a temporary database when it stops, and may be stopped twice", async () => {
  const server = await startLocalPostgres({ durable: false, database: "eve" });
  expect(existsSync(server.folder)).toBe(true);
  await server.stop();
  await server.stop();
  expect(existsSync(server.folder)).toBe(false);
});
