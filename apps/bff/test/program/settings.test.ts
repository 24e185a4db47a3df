import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  type Setting,
  databaseUrl,
  environmentId,
  keysFrom,
  listenOn,
  publicOrigin,
} from "../../src/program/settings.ts";

const folder = mkdtempSync(join(tmpdir(), "eve-bff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const refused = (setting: Setting<unknown>): string | undefined =>
  "refusal" in setting ? setting.refusal.actual : undefined;

describe("the settings", () => {
  test.each([
    ["127.0.0.1:4092", { host: "127.0.0.1", port: 4092 }],
    ["[::1]:0", { host: "::1", port: 0 }],
    ["bff.internal:65535", { host: "bff.internal", port: 65_535 }],
  ])("listen on %s", (text, value) => {
    expect(listenOn({ EVE_BFF_LISTEN: text })).toEqual({ value });
  });

  test("listen on loopback where nothing is said", () => {
    expect(listenOn({})).toEqual({ value: { host: "127.0.0.1", port: 4092 } });
  });

  test.each(["4092", "127.0.0.1", "h:65536", "h:-1", "::1:80", "http://h:80"])(
    "refuse to listen on %s: configuration.missing",
    (text) => expect(refused(listenOn({ EVE_BFF_LISTEN: text }))).toBe("another form"),
  );

  test("take a public origin byte for byte", () => {
    for (const value of [
      "https://workbench.eve.example",
      "http://127.0.0.1:4092",
      "http://[::1]:1",
    ])
      expect(publicOrigin({ EVE_BFF_PUBLIC_ORIGIN: value })).toEqual({ value });
  });

  test.each([
    "http://workbench.eve.example",
    "https://h/",
    "https://h/path",
    "https://u:CANARY@h",
    "http://localhost:1",
  ])("refuse the public origin %s: configuration.missing", (value) =>
    expect(refused(publicOrigin({ EVE_BFF_PUBLIC_ORIGIN: value }))).toBe("another form"),
  );

  test.each(["", "CANARY", "mysql://h/d", "http://h"])(
    "refuse the database %j without its value: configuration.missing",
    (value) => {
      const setting = databaseUrl({ DATABASE_URL: value }, "DATABASE_URL");
      expect(refused(setting)).toMatch(/^(not set|another form)$/);
      expect(JSON.stringify(setting)).not.toContain("CANARY");
    },
  );

  test("derive keys from 32 bytes or more: configuration.missing", () => {
    const path = (bytes: number): string => {
      const file = join(folder, String(bytes));
      writeFileSync(file, Buffer.alloc(bytes, 1));
      return file;
    };
    expect(refused(keysFrom({ EVE_BFF_KEY_FILE: path(31) }))).toBe("31 bytes");
    expect(refused(keysFrom({ EVE_BFF_KEY_FILE: path(32) }))).toBeUndefined();
    expect(refused(keysFrom({ EVE_BFF_KEY_FILE: path(4097) }))).toBe("file too_large");
    expect(refused(keysFrom({ EVE_BFF_KEY_FILE: join(folder, "none") }))).toBe("file missing");
    expect(refused(keysFrom({ EVE_BFF_KEY_FILE: folder }))).toBe("file not_regular");
    expect(refused(keysFrom({}))).toBe("not set");
  });

  test("remember the registry under the id that is set, or one made of the public origin", () => {
    expect(environmentId({ EVE_BFF_ENVIRONMENT: "run-1" }, "https://h")).toEqual({
      value: "run-1",
    });
    expect(environmentId({}, "https://h.example")).toEqual({ value: "https:-h.example" });
    expect(environmentId({}, "http://[::1]:4092")).toEqual({ value: "http:-::1-:4092" });
    expect(refused(environmentId({ EVE_BFF_ENVIRONMENT: "a b" }, "https://h"))).toBe(
      "another form",
    );
  });
});
