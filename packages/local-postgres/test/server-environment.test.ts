import { expect, it } from "vitest";
import { serverEnvironment } from "../src/server-environment.ts";

it("hands the caller's clock, zone and home on to PostgreSQL", () => {
  const env = { FAKETIME: "+400d", LD_PRELOAD: "libfaketime.so.1", TZ: "UTC", HOME: "/home/a" };
  expect(serverEnvironment(env)).toEqual({ ...env, LC_ALL: "C" });
});

it.each(["NODE_OPTIONS", "OPENSSL_CONF", "PGDATA", "PGPORT", "LANG", "LC_MESSAGES", "ABSENT"])(
  "and never %s",
  (name) => {
    const value = name === "ABSENT" ? undefined : "x";
    expect(serverEnvironment({ [name]: value })).toEqual({ LC_ALL: "C" });
  },
);
