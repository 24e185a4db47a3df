import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Refusals, refusal } from "@eve/registry-schema";
import { lastRefusalPath, writeLastRefusal } from "../src/last-refusal.ts";

const NOW = Date.parse("2026-12-01T12:00:00.005Z");
const PLACE = {
  integration: "oshun-workbench",
  subject: "OSHUN_WORKBENCH_TOKEN",
  expected: "a secret",
  actual: "s3cret",
};
const REFUSALS: Refusals = [
  refusal("credential.malformed", PLACE),
  refusal("health.expired", PLACE),
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eve-last-refusal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("lastRefusalPath", () => {
  const linux = { platform: "linux", home: "/home/a" } as const;
  const end = join("eve", "last-refusal", "x.json");
  test("lies in XDG_STATE_HOME", () =>
    expect(lastRefusalPath({ ...linux, env: { XDG_STATE_HOME: "/s" } }, "x")).toBe(
      join("/s", end),
    ));
  test.each([undefined, "", "relative"])(
    "lies in ~/.local/state for XDG_STATE_HOME=%j",
    (value) => {
      expect(lastRefusalPath({ ...linux, env: { XDG_STATE_HOME: value } }, "x")).toBe(
        join("/home/a/.local/state", end),
      );
    },
  );
  test("lies in LOCALAPPDATA on Windows", () => {
    expect(
      lastRefusalPath(
        { platform: "win32", home: "/u", env: { LOCALAPPDATA: "/l", XDG_STATE_HOME: "/s" } },
        "x",
      ),
    ).toBe(join("/l", end));
    expect(lastRefusalPath({ platform: "win32", home: "/u", env: {} }, "x")).toBe(
      join("/u/AppData/Local", end),
    );
  });
});

const path = (): string => join(folder, "eve", "last-refusal", "oshun-workbench.json");

describe("writeLastRefusal", () => {
  test("writes codes and time only, for this user alone", () => {
    writeLastRefusal(path, REFUSALS, NOW);
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({
      at: "2026-12-01T12:00:00.005Z",
      codes: ["credential.malformed", "health.expired"],
    });
    expect([statSync(path()).mode & 0o777, statSync(dirname(path())).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
  });

  test("replaces an earlier one whole and leaves nothing else behind", () => {
    writeLastRefusal(path, REFUSALS, NOW);
    writeLastRefusal(path, REFUSALS, NOW + 1);
    expect(readFileSync(path(), "utf8")).toContain("12:00:00.006Z");
    expect(readdirSync(dirname(path()))).toEqual(["oshun-workbench.json"]);
  });

  test("ignores a place that cannot be found, made or written", () => {
    expect(() =>
      writeLastRefusal(
        () => {
          throw new Error("no home");
        },
        REFUSALS,
        NOW,
      ),
    ).not.toThrow();
    writeFileSync(join(folder, "eve"), "a file where a folder should be");
    expect(() => writeLastRefusal(path, REFUSALS, NOW)).not.toThrow();
    expect(existsSync(path())).toBe(false);
  });
});
