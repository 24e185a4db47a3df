import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isAlive, isPostgres, readPostmaster } from "../src/postmaster-file.ts";
import { newFolder } from "./folders.ts";

function told(...lines: readonly string[]): ReturnType<typeof readPostmaster> {
  const folder = newFolder();
  writeFileSync(join(folder, "postmaster.pid"), lines.join("\n"));
  return readPostmaster(folder);
}

it("tells the process, the port and the status of a server", () => {
  const lines = ["17", "/data", "1790000000", "5433", "", "127.0.0.1", "  1 2 ", "ready   ", ""];
  expect(told(...lines)).toEqual({ pid: 17, port: 5433, status: "ready" });
});

it("tells of a server in single-user mode too", () => {
  expect(told("-17", "/data", "1790000000", "5432")).toMatchObject({ pid: 17, status: "unknown" });
});

it("tells nothing where there is no file, or an empty one", () => {
  expect(readPostmaster(newFolder())).toBeUndefined();
  expect(told("")).toBeUndefined();
});

it("knows this process as alive, but not as PostgreSQL", () => {
  expect(isAlive(process.pid)).toBe(true);
  // Only Linux tells what a process is.
  expect(isPostgres(process.pid)).toBe(process.platform !== "linux");
});
