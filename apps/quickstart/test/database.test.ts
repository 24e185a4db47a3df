import { chmodSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@eve/bff";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { type Cleanup, createCleanup } from "../src/cleanup.ts";
import { makeRunFolder } from "../src/run-folder.ts";
import { type Database, openDatabase } from "../src/services/database.ts";

const started: Cleanup[] = [];
afterEach(async () => {
  for (const cleanup of started.splice(0).toReversed()) await cleanup.run();
});

function open(env: NodeJS.ProcessEnv, kept?: string): Promise<Database> {
  const cleanup = createCleanup();
  started.push(cleanup);
  return openDatabase({ env, kept, cleanup });
}

describe("openDatabase", () => {
  it("takes the database that both URLs name, and starts none", async () => {
    const named = { DATABASE_URL: "postgres://a/b", DATABASE_OWNER_URL: "postgres://c/b" };
    expect(await open(named)).toMatchObject({ url: "postgres://a/b", ownerUrl: "postgres://c/b" });
  });

  it("takes the sealer's role that is named beside them, and gives nobody's role a password", async () => {
    const named = { DATABASE_URL: "postgres://a/b", DATABASE_OWNER_URL: "postgres://c/b" };
    expect(await (await open(named)).sealerUrl()).toBeUndefined();
    const sealer = "postgres://d/b";
    expect(await (await open({ ...named, DATABASE_SEALER_URL: sealer })).sealerUrl()).toBe(sealer);
  });

  it("lets the sealer's role of its own server in, once it is migrated", async () => {
    const { ownerUrl, sealerUrl } = await open({});
    await expect(sealerUrl()).rejects.toThrow("eve_sealer");
    await migrate(ownerUrl);
    const client = new pg.Client({ connectionString: await sealerUrl() });
    await client.connect();
    const { rows } = await client.query(
      "select current_user::text as role, count(*)::int as rows from bff.audit",
    );
    await client.end();
    expect(rows).toEqual([{ role: "eve_sealer", rows: 0 }]);
  });

  it("starts one of its own where only one URL is named, and takes it away", async () => {
    const { url, about } = await open({ DATABASE_URL: "postgres://not.one.of.ours/b" });
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const folder = about.replace("PostgreSQL with its data in ", "");
    expect(existsSync(folder)).toBe(true);
    await started[0]?.run();
    expect(existsSync(folder)).toBe(false);
  });

  it("keeps one where it is told to, and starts another while a run holds that", async () => {
    const folder = makeRunFolder(tmpdir());
    chmodSync(folder.path, 0o755); // root's PostgreSQL runs as somebody else, who must get in
    started.push({ add: () => {}, run: async () => folder.remove() });
    const [first, second] = [await open({}, folder.path), await open({}, folder.path)];
    expect(second.url).not.toBe(first.url);
    await started[1]?.run();
    const again = await open({}, folder.path);
    expect(new URL(again.url).password).toBe(new URL(first.url).password);
    expect(again.about).toContain(join(folder.path, "postgres"));
  });
});
