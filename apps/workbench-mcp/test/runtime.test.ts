import { describe, expect, test } from "vitest";
import { type RuntimeFacts, judgeRuntime } from "../src/runtime.ts";

const CLEAN: RuntimeFacts = { execArgv: [], env: { PATH: "/bin", HOME: "/root" } };
const judge = (change: Partial<RuntimeFacts>): readonly string[] =>
  judgeRuntime({ ...CLEAN, ...change }).map(({ code, subject }) => `${code} ${subject}`);

describe("judgeRuntime", () => {
  test("takes a plain runtime", () => expect(judge({})).toEqual([]));

  test.each(["NODE_OPTIONS", "NODE_COMPILE_CACHE", "OPENSSL_CONF", "NODE_USE_ENV_PROXY"])(
    "refuses %s that is set: runtime.unsafe",
    (name) => {
      expect(judge({ env: { [name]: "x" } })).toEqual([`runtime.unsafe ${name}`]);
      expect(judge({ env: { [name]: " " } })).toEqual([`runtime.unsafe ${name}`]);
    },
  );

  test.each(["NODE_OPTIONS", "NODE_COMPILE_CACHE", "OPENSSL_CONF", "NODE_USE_ENV_PROXY"])(
    "takes %s that is empty",
    (name) => {
      expect(judge({ env: { [name]: "" } })).toEqual([]);
    },
  );

  test("refuses certificate checks that are off: runtime.unsafe", () => {
    expect(judge({ env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } })).toEqual([
      "runtime.unsafe NODE_TLS_REJECT_UNAUTHORIZED",
    ]);
  });

  test.each(["1", "", "00", "false"])(
    "takes NODE_TLS_REJECT_UNAUTHORIZED=%j, which Node reads as on",
    (value) => {
      expect(judge({ env: { NODE_TLS_REJECT_UNAUTHORIZED: value } })).toEqual([]);
    },
  );

  test.each([["--import=./x.mjs"], ["--require", "x"], ["--inspect"], ["--disable-warning=X"]])(
    "refuses Node's own option %s: runtime.unsafe",
    (...execArgv) => {
      expect(judge({ execArgv })).toEqual(["runtime.unsafe execArgv"]);
    },
  );

  test("reports every cause, in order, and no value", () => {
    const refusals = judgeRuntime({
      execArgv: ["--import=secret"],
      env: { OPENSSL_CONF: "secret", NODE_OPTIONS: "secret" },
    });
    expect(refusals.map(({ subject }) => subject)).toEqual([
      "execArgv",
      "NODE_OPTIONS",
      "OPENSSL_CONF",
    ]);
    expect(JSON.stringify(refusals)).not.toContain("secret");
  });

  test("does not judge LD_PRELOAD: launchers strip it", () =>
    expect(judge({ env: { LD_PRELOAD: "/lib/x.so" } })).toEqual([]));
});
