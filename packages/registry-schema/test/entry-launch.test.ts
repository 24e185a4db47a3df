import { isRuntimeVariable } from "@eve/registry-schema";
import { goodEntry, NOW } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { isLocalOrigin, isReadable } from "../src/text.ts";
import { faultsWith, firstOf, refusalsOf } from "./kit.ts";

describe("a command that runs something else than what was measured is refused", () => {
  it.each(["sh", "/bin/bash", "cmd.exe", "npx", "pnpm", "env", "uvx", "sudo"])(
    "%s (RP-13): registry.field_invalid",
    (command) => {
      expect(firstOf(faultsWith(["transport", "command"], command))).toBe(
        "registry.field_invalid transport.command",
      );
    },
  );

  it.each([["--import=data:text/javascript,0"], ["-e"], ["--require"]])(
    "node %s (RP-14): registry.field_invalid",
    (option) => {
      expect(firstOf(faultsWith(["transport", "args"], [option, "main.js"]))).toBe(
        "registry.field_invalid transport.args[0]",
      );
    },
  );

  it("node without a script: registry.field_invalid", () => {
    expect(firstOf(faultsWith(["transport", "args"], []))).toBe(
      "registry.field_invalid transport.args[0]",
    );
  });
});

describe("a variable that steers how programs are loaded or reached", () => {
  const names = [
    "NODE_OPTIONS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "PATH",
    "HTTPS_PROXY",
    "OPENSSL_CONF",
    "SSL_CERT_FILE",
    "BASH_ENV",
  ];
  it.each(names)("%s is no setting of an entry (RP-14): registry.field_invalid", (name) => {
    const faults = faultsWith(["configuration", 0, "env"], name);
    expect(firstOf(faults)).toBe("registry.field_invalid configuration[0].env");
  });

  it("is told apart from a program's own", () => {
    expect(names.every((name) => isRuntimeVariable(name))).toBe(true);
    expect(
      ["NOTES_TOKEN", "HOME", "NODENAME", "PATHS"].some((name) => isRuntimeVariable(name)),
    ).toBe(false);
  });
});

describe("production does not name this machine, however it is written", () => {
  it.each([
    "https://localhost",
    "https://notes.localhost",
    "https://127.0.0.2",
    "https://0.0.0.0",
    "https://[::]",
    "https://[::1]",
    "https://[::ffff:7f00:1]",
    "https://169.254.169.254",
    "https://[fe80::1]",
  ])("%s: entry.deployment_mismatch", (origin) => {
    expect(isLocalOrigin(origin)).toBe(true);
    const faults = faultsWith(["destinations", 2, "origin"], origin);
    expect(faults.map(({ code }) => code)).toContain("entry.deployment_mismatch");
  });

  it("and takes hosts that only look like it", () => {
    const hosts = ["https://localhost.eve.example", "https://127.eve.example", "https://10.0.0.8"];
    expect(hosts.some((origin) => isLocalOrigin(origin))).toBe(false);
  });

  it("and no origin twice: registry.field_invalid", () => {
    const faults = faultsWith(["destinations", 2, "origin"], "https://notes.eve.example");
    expect(firstOf(faults)).toBe("registry.field_invalid destinations[2].origin");
  });
});

describe("text that people cannot read (RS-16)", () => {
  it.each(["\u034f", "\u2800", "\u17b4", "\u180b", "\ufe0f", "\u{e0100}", "\u00ad", "\u3164"])(
    "%j hides in a text",
    (hidden) => {
      expect(isReadable(`notes${hidden}`)).toBe(false);
    },
  );
});

describe("bounds", () => {
  it("a very long permission is refused, not matched (O6): registry.field_invalid", () => {
    const long = `a${":a".repeat(1_000_000)}!`;
    expect(firstOf(faultsWith(["permissions", 0], long))).toBe(
      "registry.field_invalid permissions[0]",
    );
  });

  it("client capabilities hold at most 1000 values: registry.field_invalid", () => {
    const many = { a: Array.from({ length: 998 }, () => 0) };
    const path = ["surface", "observedWith", "clientCapabilities"];
    expect(faultsWith(path, many)).toEqual([]);
    expect(firstOf(faultsWith(path, { ...many, b: 0 }))).toBe(
      "registry.field_invalid surface.observedWith.clientCapabilities",
    );
  });

  it("an entry tells 64 faults at most", () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${n}`, 1]));
    expect(faultsWith([], { ...goodEntry({ now: NOW }), ...fields })).toHaveLength(64);
  });

  it("a document of very many values is refused by their number (O6): registry.too_large", () => {
    const nested = `[${Array.from({ length: 300 }, () => `[${"0,".repeat(999)}0]`).join(",")}]`;
    expect(refusalsOf(`{"integrations":${nested}}`).map(({ code }) => code)).toEqual([
      "registry.too_large",
    ]);
  });
});
