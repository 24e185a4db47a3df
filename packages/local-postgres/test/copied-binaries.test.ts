import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { copyOut } from "../src/copied-binaries.ts";
import { databaseUser } from "../src/database-user.ts";
import { nativeBinaries } from "../src/native-binaries.ts";
import { codeOf } from "./code-of.ts";
import { newFolder } from "./folders.ts";

const OWNER = process.getuid?.() ?? -1;

function newVersion(): { version: string; copy: string } {
  const version = `test-${randomUUID()}`;
  const copy = join(tmpdir(), `eve-postgres-${version}-${OWNER}`);
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  return { version, copy };
}

function small(text: string): string {
  const native = newFolder();
  writeFileSync(join(native, "file"), text);
  return native;
}

describe("a copy of the binaries", () => {
  it("is open to everybody, though what it is a copy of is not", () => {
    const native = newFolder();
    mkdirSync(join(native, "bin"), { mode: 0o700 });
    writeFileSync(join(native, "bin", "program"), "", { mode: 0o700 });
    writeFileSync(join(native, "bin", "data"), "", { mode: 0o600 });
    const copied = copyOut(native, newVersion().version, () => true);
    const modeOf = (...path: readonly string[]): number =>
      statSync(join(copied, ...path)).mode & 0o777;
    expect(["bin", "bin/program", "bin/data"].map((path) => modeOf(path))).toEqual([
      0o755, 0o755, 0o644,
    ]);
  });

  it("runs, and anybody may enter it", () => {
    const { root, major } = nativeBinaries(databaseUser());
    const copied = copyOut(root, newVersion().version, () => true);
    expect(statSync(copied).mode & 0o777).toBe(0o755);
    const told = execFileSync(join(copied, "bin", "postgres"), ["--version"], { encoding: "utf8" });
    expect(told).toContain(`PostgreSQL) ${major}.`);
  });

  it("is made once a version, and prepared before it has its name", () => {
    const { version, copy } = newVersion();
    const prepared: string[] = [];
    const prepare = (path: string): boolean => prepared.push(path) > 0;
    expect(copyOut(small("first"), version, prepare)).toBe(copy);
    expect(copyOut(small("second"), version, prepare)).toBe(copy);
    expect(readFileSync(join(copy, "file"), "utf8")).toBe("first");
    expect(prepared).toHaveLength(1);
    expect(prepared).not.toContain(copy);
  });

  it("that others may change is never run: binaries.missing", async () => {
    const { version, copy } = newVersion();
    mkdirSync(copy);
    chmodSync(copy, 0o777);
    expect(await codeOf(() => copyOut(small("x"), version, () => true))).toBe("binaries.missing");
  });
});
