import { expect, test } from "vitest";
import { inheritedEnvironment } from "@eve/mcp-guard";

test("a child of ours gets the caller's clock, zone and home", () => {
  const env = {
    TZ: "Pacific/Kiritimati",
    HOME: "/home/a",
    FAKETIME: "+400d",
    LD_PRELOAD: "libfaketime.so.1",
  };
  expect(inheritedEnvironment(env)).toEqual(env);
});

test.each([
  "NODE_OPTIONS",
  "NODE_COMPILE_CACHE",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_V8_COVERAGE",
  "NODE_PATH",
  "OPENSSL_CONF",
  "NODE_EXTRA_CA_CERTS",
  "node_options",
  "LD_AUDIT",
  "NODE_USE_ENV_PROXY",
])("and never %s, which makes Node run other code or trust other servers (RP-14)", (name) => {
  expect(inheritedEnvironment({ [name]: "x", KEPT: "y", ABSENT: undefined })).toEqual({
    KEPT: "y",
  });
});

test("nor a secret that the child has no use for", () => {
  expect(inheritedEnvironment({ A_TOKEN: "secret", B: "x" }, ["A_TOKEN"])).toEqual({ B: "x" });
});
