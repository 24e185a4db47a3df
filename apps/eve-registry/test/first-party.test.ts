import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type FirstPartyEntry, parseEntry } from "@eve/registry-schema";
import { goodEntry, NOW, withValue } from "@eve/test-kit";
import { requireFirstParty } from "../src/entry-file.ts";
import { launchProgram, programOf, readAppBuild } from "../src/first-party.ts";
import { settingsFor } from "../src/probe-health.ts";
import { ENTRY, newFolder, objectAt, put, removeFolders, unreviewedWorkspace } from "./scratch.ts";

afterEach(removeFolders);

function parsed(raw: Parameters<typeof parseEntry>[0]): FirstPartyEntry {
  const result = parseEntry(raw, "notes");
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return requireFirstParty(result.entry);
}

const notes = (): FirstPartyEntry => parsed(objectAt(unreviewedWorkspace(), ENTRY));

describe("launching a first-party program", () => {
  test("is Node itself, in the program's folder, with the entry's further arguments", () => {
    const launch = launchProgram(notes(), "/trial/main.js", {}, {});
    expect(launch).toMatchObject({
      command: process.execPath,
      args: ["main.js", "--quiet"],
      cwd: "/trial",
    });
  });

  test("gives it the caller's environment without runtime flags, and of the settings those the entry names", () => {
    const caller = { HOME: "/h", NODE_OPTIONS: "--import=/evil.js", NOTES_TOKEN: "caller's" };
    const { env } = launchProgram(notes(), "/trial/main.js", caller, {
      NOTES_TOKEN: "ours",
      OTHER: "x",
    });
    expect(env).toEqual({ HOME: "/h", NOTES_TOKEN: "ours" });
  });

  test("finds it beside its first artifact", () => {
    expect(programOf(notes(), "/repo")).toBe("/repo/apps/notes/dist/main.js");
  });

  test("is not possible on stdio where it is reached by URL; its program is its first artifact", () => {
    const entry = parsed(goodEntry({ now: NOW, transport: "streamable-http" }));
    expect(programOf(entry, "/repo")).toBe("/repo/apps/notes/dist/main.js");
    expect(() => launchProgram(entry, "/x", {}, {})).toThrow("Only stdio programs");
  });
});

describe("settings of a probe", () => {
  test("are a fresh credential of the issued form and the entry's own destination", () => {
    const [one, two] = [settingsFor(notes()), settingsFor(notes())];
    expect(one["NOTES_TOKEN"]).toMatch(/^eve_live_agent_[A-Za-z0-9_-]{43}$/);
    expect(one["NOTES_TOKEN"]).not.toBe(two["NOTES_TOKEN"]);
    expect(one["NOTES_URL"]).toBe("https://notes.eve.example");
  });

  test("are of the local realm for what is not production", () => {
    const raw = goodEntry({ now: NOW });
    const local = ["http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3"];
    const destinations = local.map((origin) => ({ origin, dataClasses: ["note"] }));
    const credentials = [
      { id: "bearer", env: "NOTES_TOKEN", scopes: ["notes:read"], destinations: local.slice(0, 1) },
    ];
    const moved = { ...raw, deployment: "local-development", destinations, credentials };
    const env = withValue(moved, ["transport", "env"], ["NOTES_TOKEN", "NOTES_URL", "NOTES_PAGE"]);
    expect(settingsFor(parsed(env))["NOTES_TOKEN"]).toMatch(/^eve_local_agent_/);
  });
});

describe("an app's own account of its build", () => {
  test.each([
    ["without a version", { eve: { surface: "s.js", evaluation: ["checks"] } }],
    ["without eve", { version: "1.0.0" }],
    [
      "without a program that can be measured",
      { version: "1.0.0", eve: { evaluation: ["checks"] } },
    ],
    [
      "whose evaluation is no list",
      { version: "1.0.0", eve: { surface: "s.js", evaluation: "checks" } },
    ],
  ])("%s is refused with the form it should have", (_title, manifest) => {
    const root = newFolder();
    put(root, "apps/a/package.json", JSON.stringify(manifest));
    expect(() => readAppBuild(root, "apps/a")).toThrow(
      /apps\/a\/package\.json: expected a version and "eve"/,
    );
  });

  test("that is not there is told with its place", () => {
    const root = newFolder();
    expect(() => readAppBuild(root, "apps/a")).toThrow(join(root, "apps/a/package.json"));
  });
});
