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
/** Code and variable of a refusal. */
const causeOf = (setting: Setting<unknown>): string =>
  "refusal" in setting ? `${setting.refusal.code} ${setting.refusal.subject}` : "none";

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
    "refuse to listen on %s: configuration.invalid",
    (text) => {
      const setting = listenOn({ EVE_BFF_LISTEN: text });
      expect(causeOf(setting)).toBe("configuration.invalid EVE_BFF_LISTEN");
      expect(setting).toMatchObject({ refusal: { expected: "host:port", actual: "another form" } });
    },
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
  ])("refuse the public origin %s without its value: configuration.invalid", (value) => {
    const setting = publicOrigin({ EVE_BFF_PUBLIC_ORIGIN: value });
    expect(causeOf(setting)).toBe("configuration.invalid EVE_BFF_PUBLIC_ORIGIN");
    expect(refused(setting)).toBe("another form");
    expect(JSON.stringify(setting)).not.toContain("CANARY");
  });

  test.each(["CANARY", "mysql://u:CANARY@h/d", "http://h"])(
    "refuse the database %j without its value: configuration.invalid",
    (value) => {
      for (const name of ["DATABASE_URL", "DATABASE_OWNER_URL"] as const) {
        const setting = databaseUrl({ [name]: value }, name);
        expect(causeOf(setting)).toBe(`configuration.invalid ${name}`);
        expect(setting).toMatchObject({
          refusal: { expected: "a postgres:// URL", actual: "another form" },
        });
        expect(JSON.stringify(setting)).not.toContain("CANARY");
      }
    },
  );

  test("are missing where they are not set or blank: configuration.missing", () => {
    for (const blank of [
      {},
      { DATABASE_URL: " ", EVE_BFF_PUBLIC_ORIGIN: "", EVE_BFF_KEY_FILE: "" },
    ])
      expect(
        [databaseUrl(blank, "DATABASE_URL"), publicOrigin(blank), keysFrom(blank)].map(causeOf),
      ).toEqual([
        "configuration.missing DATABASE_URL",
        "configuration.missing EVE_BFF_PUBLIC_ORIGIN",
        "configuration.missing EVE_BFF_KEY_FILE",
      ]);
  });

  test("derive keys from 32 bytes or more: configuration.invalid", () => {
    const path = (bytes: number): string => {
      const file = join(folder, String(bytes));
      writeFileSync(file, Buffer.alloc(bytes, 1));
      return file;
    };
    expect(refused(keysFrom({ EVE_BFF_KEY_FILE: path(31) }))).toBe("31 bytes");
    expect(causeOf(keysFrom({ EVE_BFF_KEY_FILE: path(31) }))).toBe(
      "configuration.invalid EVE_BFF_KEY_FILE",
    );
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
  });

  test.each(["a b", "-a", "x".repeat(129)])(
    "refuse the environment %j: configuration.invalid",
    (value) => {
      const setting = environmentId({ EVE_BFF_ENVIRONMENT: value }, "https://h");
      expect(causeOf(setting)).toBe("configuration.invalid EVE_BFF_ENVIRONMENT");
      expect(refused(setting)).toBe("another form");
    },
  );
});
