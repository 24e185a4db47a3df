import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { databaseFolder, reachableFolder } from "../src/database-folder.ts";
import { databaseUser } from "../src/database-user.ts";
import { codeOf } from "./code-of.ts";
import { newFolder } from "./folders.ts";

const user = databaseUser();
const isRoot = process.getuid?.() === 0;
/** Root and an ordinary user alike: what is judged for another user than the one who asks. */
const OTHER = { uid: 12_345, gid: 12_345, name: "user 12345", isOther: true };

/** A folder that belongs to neither the caller nor the user PostgreSQL runs as. */
function foreignFolder(): string {
  if (!isRoot) return "/usr";
  const folder = newFolder();
  chownSync(folder, 12_345, 12_345);
  return folder;
}

describe("the folder of a database", () => {
  it("is made, with the folders above it, for the user PostgreSQL runs as alone", () => {
    const folder = databaseFolder(join(newFolderOpen(), "a", "b"), user);
    expect(statSync(folder)).toMatchObject({ uid: user.uid });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("may be one that is there and empty", () => {
    const folder = newFolder();
    expect(statSync(databaseFolder(folder, user)).uid).toBe(user.uid);
  });

  it("is never another user's: folder.owner", async () => {
    expect(await codeOf(() => databaseFolder(foreignFolder(), user))).toBe("folder.owner");
  });

  it("is never a file: folder.invalid", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    expect(await codeOf(() => databaseFolder(file, user))).toBe("folder.invalid");
  });

  it("is one that the user PostgreSQL runs as can enter: folder.unreachable", async () => {
    const closed = join(newFolder(), "closed");
    mkdirSync(closed);
    writeFileSync(join(closed, "file"), "");
    chmodSync(closed, 0o600);
    expect(await codeOf(() => databaseFolder(closed, OTHER))).toBe("folder.unreachable");
  });
});

describe("a folder that PostgreSQL can reach", () => {
  it("is the preferred one, there or not", () => {
    const preferred = join(newFolderOpen(), "a", "b");
    expect(reachableFolder(preferred)).toBe(preferred);
  });

  it("is one under /var/lib/eve, always the same, where the preferred one is closed", () => {
    const closed = newFolder();
    const instead = reachableFolder(join(closed, "a"), OTHER);
    expect(instead).toMatch(/^\/var\/lib\/eve\/postgres-[0-9a-f]{16}$/);
    expect(reachableFolder(join(closed, "a"), OTHER)).toBe(instead);
    expect(reachableFolder(join(closed, "b"), OTHER)).not.toBe(instead);
  });
});

/** A folder that anybody may enter. */
function newFolderOpen(): string {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  return folder;
}
