import { describe, expect, test } from "vitest";
import { type RuntimeFacts, judgeRuntime } from "../src/runtime.ts";

const CLEAN: RuntimeFacts = {
  execArgv: [],
  env: { PATH: "/bin", HOME: "/root" },
  nodeVersion: "22.22.0",
  isMainScript: true,
};
const judge = (change: Partial<RuntimeFacts>): readonly string[] =>
  judgeRuntime({ ...CLEAN, ...change }).map(({ code, subject }) => `${code} ${subject}`);

describe("judgeRuntime", () => {
  test("takes a plain runtime", () => expect(judge({})).toEqual([]));

  test.each([
    "NODE_OPTIONS",
    "NODE_COMPILE_CACHE",
    "OPENSSL_CONF",
    "NODE_USE_ENV_PROXY",
    "NODE_V8_COVERAGE",
    "NODE_REDIRECT_WARNINGS",
  ])("refuses %s that is set: runtime.unsafe", (name) => {
    expect(judge({ env: { [name]: "x" } })).toEqual([`runtime.unsafe ${name}`]);
    expect(judge({ env: { [name]: " " } })).toEqual([`runtime.unsafe ${name}`]);
  });

  test.each([
    "NODE_OPTIONS",
    "NODE_COMPILE_CACHE",
    "OPENSSL_CONF",
    "NODE_USE_ENV_PROXY",
    "NODE_V8_COVERAGE",
    "NODE_REDIRECT_WARNINGS",
  ])("takes %s that is empty", (name) => {
    expect(judge({ env: { [name]: "" } })).toEqual([]);
  });

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
      ...CLEAN,
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

  test.each(["22.21.9", "20.20.2", "", "x"])("refuses Node %j: runtime.unsafe", (nodeVersion) =>
    expect(judge({ nodeVersion })).toEqual(["runtime.unsafe node"]),
  );
  test.each(["22.22.0", "24.0.0", "26.10.0"])("takes Node %s", (nodeVersion) =>
    expect(judge({ nodeVersion })).toEqual([]),
  );

  test("refuses to be loaded by another script: runtime.unsafe", () =>
    expect(judge({ isMainScript: false })).toEqual(["runtime.unsafe script"]));

  test("does not judge LD_PRELOAD: launchers strip it", () =>
    expect(judge({ env: { LD_PRELOAD: "/lib/x.so" } })).toEqual([]));
});
