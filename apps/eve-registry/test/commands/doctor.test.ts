import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { run, runJson } from "../run.ts";
import { newFolder, put, removeFolders } from "../scratch.ts";

afterEach(removeFolders);

const NOTES = "state/eve/last-refusal";
const note = (codes: readonly unknown[]): string =>
  JSON.stringify({ at: "2026-12-01T12:00:00.000Z", codes });

describe("doctor", () => {
  test("says that there is no refusal, and where it looked", async () => {
    const folder = newFolder();
    const { code, out } = await run(folder, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toBe(`No integration has left a refusal in ${join(folder, NOTES)}.\n`);
  });

  test("tells each refusal with its code, title and remedy", async () => {
    const folder = newFolder();
    put(folder, `${NOTES}/notes.json`, note(["health.expired", "review.expired"]));
    const { code, out } = await run(folder, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^notes refused at 2026-12-01T12:00:00\.000Z\n {2}health\.expired {2}\S/);
    expect(out.match(/^ {4}→ \S/gm)).toHaveLength(2);
  });

  test("answers the notes as JSON", async () => {
    const folder = newFolder();
    put(folder, `${NOTES}/notes.json`, note(["health.expired"]));
    const { json } = await runJson(folder, ["doctor"]);
    expect(json).toEqual({
      ok: true,
      refusals: [],
      folder: join(folder, NOTES),
      notes: [{ integration: "notes", at: "2026-12-01T12:00:00.000Z", codes: ["health.expired"] }],
      unreadable: [],
    });
  });

  test("shows a code that it does not know yet", async () => {
    const folder = newFolder();
    put(folder, `${NOTES}/notes.json`, note(["surface.of_tomorrow"]));
    expect((await run(folder, ["doctor"])).out).toContain("surface.of_tomorrow\n    → Update");
  });

  test.each([
    ["a half-written note", '{"at":"2026-12-01T12:00:00.000Z","co'],
    ["a list", "[]"],
    ["a time that is none", JSON.stringify({ at: "\u001b[31m", codes: [] })],
    ["a code that is no code", note(["\u001b[2J"])],
  ])("names %s and shows nothing of it", async (_title, text) => {
    const folder = newFolder();
    put(folder, `${NOTES}/notes.json`, text);
    const { code, out } = await run(folder, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toBe(
      `✗ ${join(folder, NOTES, "notes.json")} is no note of a refusal. Remove it and start the integration again.\n`,
    );
  });

  test("follows no link", async () => {
    const folder = newFolder();
    put(folder, "elsewhere", note(["health.expired"]));
    put(folder, `${NOTES}/other.txt`, "no note");
    symlinkSync(join(folder, "elsewhere"), join(folder, NOTES, "notes.json"));
    expect((await run(folder, ["doctor"])).out).toContain("is no note");
  });
});
