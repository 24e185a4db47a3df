import type { JsonValue } from "@eve/canonical-json";
import { goodEntry, NOW, type Path, pathText, thirdPartyEntry } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { ENTRY, faultsWith } from "./kit.ts";

const HTTP = goodEntry({ now: NOW, transport: "streamable-http" });
const THIRD = thirdPartyEntry({ now: NOW });

/** The codes answered for the field alone when it holds `value`; a list's fault may name the list. */
function answers(path: Path, value: JsonValue, entry = ENTRY): readonly string[] {
  const text = pathText(path);
  const isThere = (subject: string): boolean =>
    text === subject || text.startsWith(`${subject}[`) || text.startsWith(`${subject}.`);
  return faultsWith(path, value, entry).flatMap(({ code, subject }) =>
    isThere(subject) ? [code] : [],
  );
}

describe("texts that people read", () => {
  const path = ["owner", "contact"];
  it.each([
    ["nothing", ""],
    ["RS-16 an invisible character", "\u2060"],
    ["RS-16 combining marks only", "\u0301\u0308"],
    ["punctuation only", "—!"],
    ["a zero-width space", "no\u200btes"],
    ["a byte order mark", "no\ufefftes"],
    ["a soft hyphen", "no\u00adtes"],
    ["a right-to-left override", "no\u202etes"],
    ["a bidi isolate", "no\u2066tes"],
    ["tag characters", "notes\u{e0041}"],
    ["a variation selector supplement", "notes\u{e0fff}"],
    ["a private use character", "notes\ue000"],
    ["an unassigned character", "notes\u0378"],
    ["a Hangul filler", "notes\u3164"],
    ["a line separator", "a\u2028b"],
    ["a paragraph separator", "a\u2029b"],
    ["an escape", "\u001b[2Knotes"],
    ["a line feed", "a\nb"],
    ["a tab", "a\tb"],
    ["a C1 control", "a\u009bb"],
    ["501 characters", "x".repeat(501)],
  ])("refuse %s: registry.field_invalid", (_title, text) => {
    expect(answers(path, text)).toContain("registry.field_invalid");
    expect(answers(["lifecycle", "reason"], text)).toContain("registry.field_invalid");
  });

  it.each(["x".repeat(500), "Büro für Notizen", "记事本", "notes@eve.example", "a"])(
    "accept %s",
    (text) => {
      expect(answers(path, text)).toEqual([]);
    },
  );
});

describe("ids inside an entry", () => {
  const paths: readonly Path[] = [
    ["owner", "team"],
    ["review", "reviewer"],
    ["credentials", 0, "id"],
    ["destinations", 0, "dataClasses", 0],
  ];
  it.each([
    "",
    "Notes",
    "-a",
    "a_b",
    "a b",
    "a.b",
    "n\u043etes",
    "caf\u00e9",
    "a".repeat(65),
    "a\n",
    "*",
    "a/b",
  ])("refuse %j: registry.field_invalid", (id) => {
    for (const path of paths) expect(answers(path, id)).toContain("registry.field_invalid");
  });

  it.each(["a", "0", "a-", "a".repeat(64)])("accept %s", (id) => {
    for (const path of paths) expect(answers(path, id)).toEqual([]);
  });
});

describe("destinations", () => {
  const path = ["destinations", 2, "origin"];
  it.each([
    ["RS-19 a wildcard host", "https://*"],
    ["RS-19 a wildcard", "*"],
    ["RS-19 a wildcard label", "https://*.bellona.example"],
    ["RS-19 an opaque origin", "null"],
    ["RS-20 a path", "https://a.example/x"],
    ["RS-20 a closing slash", "https://a.example/"],
    ["RS-20 a query", "https://a.example?x"],
    ["RS-20 user information", "https://u:p@a.example"],
    ["RS-20 a fragment", "https://a.example#x"],
    ["RS-20 a closing dot", "https://a.example."],
    ["RS-20 an upper-case host", "https://A.example"],
    ["an upper-case scheme", "HTTPS://a.example"],
    ["RS-20 an internationalized host", "https://bücher.example"],
    ["RS-20 plain http", "http://a.example"],
    ["http to a name of this machine", "http://localhost"],
    ["http to another loopback address", "http://127.0.0.2"],
    ["the default port", "https://a.example:443"],
    ["a port that is none", "https://a.example:99999"],
    ["a number for an address", "https://2130706433"],
    ["a short address", "http://127.1"],
    ["a long IPv6 loopback", "http://[0:0:0:0:0:0:0:1]"],
    ["another scheme", "wss://a.example"],
    ["a file", "file:///etc/passwd"],
    ["a data URL", "data:text/plain,x"],
    ["a space before", " https://a.example"],
    ["a line feed after", "https://a.example\n"],
    ["a tab inside", "https://a.ex\tample"],
    ["nothing", ""],
  ])("refuse %s: registry.field_invalid", (_title, origin) => {
    expect(answers(path, origin)).toContain("registry.field_invalid");
    expect(answers(["credentials", 0, "destinations", 0], origin)).toContain(
      "registry.field_invalid",
    );
  });

  it.each([
    "https://a.example",
    "https://a.example:8443",
    "https://xn--bcher-kva.example",
    "https://10.0.0.1",
  ])("accept %s", (origin) => {
    expect(answers(path, origin)).toEqual([]);
  });
});

describe("permissions and environment names", () => {
  it.each([
    "*",
    "notes:*",
    "notes",
    "",
    "Notes:read",
    "notes:",
    ":read",
    "notes:read ",
    "notes:read\n",
    "no tes:read",
  ])("refuse the permission %j RS-22: registry.field_invalid", (permission) => {
    expect(answers(["permissions", 0], permission)).toContain("registry.field_invalid");
    expect(answers(["tools", 0, "permissions", 0], permission)).toContain("registry.field_invalid");
    expect(answers(["credentials", 0, "scopes", 0], permission)).toContain(
      "registry.field_invalid",
    );
  });

  it.each([
    "",
    "notes_token",
    "1TOKEN",
    "NOTES-TOKEN",
    "NOTES TOKEN",
    "NOTES=1",
    "PATH\u0001",
    "N".repeat(129),
  ])("refuse the environment name %j: registry.field_invalid", (name) => {
    expect(answers(["credentials", 0, "env"], name)).toContain("registry.field_invalid");
    expect(answers(["configuration", 0, "env"], name)).toContain("registry.field_invalid");
    expect(answers(["transport", "env", 0], name)).toContain("registry.field_invalid");
  });
});

describe("paths", () => {
  it.each([
    ["RP-01 a way out", "../../../etc/passwd"],
    ["RP-01 a way out further in", "a/../../b"],
    ["RP-01 a dot part", "./x"],
    ["a dot part inside", "a/./b"],
    ["a hidden folder", "a/.git/config"],
    ["RP-01 two slashes", "a//b"],
    ["a closing slash", "a/"],
    ["nothing", ""],
    ["RP-02 an absolute path", "/etc/passwd"],
    ["RP-02 a drive", String.raw`C:\x`],
    ["RP-02 a drive with slashes", "C:/x"],
    ["RP-02 a share", String.raw`\\unc\x`],
    ["RP-02 a file URL", "file:///etc/passwd"],
    ["RP-07 a decomposed name", "cafe\u0301.mjs"],
    ["a composed letter", "caf\u00e9.mjs"],
    ["RP-08 percent-encoded slashes", "tools%2f..%2fevil"],
    ["RP-08 backslashes", String.raw`tools\..\evil`],
    ["RP-08 percent-encoded dots", "%2e%2e/evil"],
    ["a control character", "a\u0001b"],
    ["a home folder", "~/x"],
    ["a variable", "$HOME/x"],
    ["a space", "a b"],
    ["513 characters", "a".repeat(513)],
  ])("refuse %s: source.path_invalid", (_title, path) => {
    expect(answers(["source", "path"], path)).toEqual(["source.path_invalid"]);
    expect(answers(["source", "artifacts", 0, "path"], path)).toEqual(["source.path_invalid"]);
    expect(answers(["health", "evidence", "path"], path)).toEqual(["source.path_invalid"]);
  });

  it.each(["a", "Server.mjs", "dist/main.js", "@scope/x_y+z-1.2/a.js", "a".repeat(512)])(
    "accept %s",
    (path) => {
      expect(answers(["source", "path"], path)).toEqual([]);
    },
  );
});

describe("digests, versions, packages", () => {
  it.each([
    "A".repeat(64),
    "a".repeat(63),
    "a".repeat(65),
    `sha256:${"a".repeat(64)}`,
    "g".repeat(64),
    "",
    `${"a".repeat(64)}\n`,
  ])("refuse the digest %j RS-14: registry.field_invalid", (digest) => {
    for (const path of [
      ["source", "sha256"],
      ["tools", 0, "pins", "inputSchema"],
      ["tools", 0, "pins", "definition", "2025-11-25"],
      ["surface", "2026-07-28", "prompts"],
      ["review", "subject"],
      ["review", "evidence", "sha256"],
    ] as const)
      expect(answers(path, digest)).toContain("registry.field_invalid");
  });

  it("accepts a digest of zeros, which nothing matches (RS-14)", () => {
    expect(answers(["source", "sha256"], "0".repeat(64))).toEqual([]);
  });

  it.each(["1.0", "v1.0.0", "1.0.0 ", "latest", "^1.0.0", "1.0.0\n", ""])(
    "refuse the version %j: registry.field_invalid",
    (version) => {
      expect(answers(["source", "version"], version)).toContain("registry.field_invalid");
    },
  );

  it.each(["", "Notes", "../x", "@notes", "@notes/", "a b", "notes@1.0.0", "@a/b/c"])(
    "refuse the package %j: registry.field_invalid",
    (name) => {
      expect(answers(["source", "package"], name, THIRD)).toContain("registry.field_invalid");
    },
  );

  it.each([
    "",
    "sha1-AAAA",
    `sha512-${"A".repeat(85)}==`,
    "a".repeat(64),
    `sha512-${"A".repeat(86)}==?x`,
  ])("refuse the integrity %j: registry.field_invalid", (integrity) => {
    expect(answers(["source", "integrity"], integrity, THIRD)).toContain("registry.field_invalid");
  });
});

describe("kinds, classes, states", () => {
  it.each(["plugin", "mcp-server ", "MCP", "Agent", "", 3, null])(
    "refuse the kind %j RS-04 (ADR-0092-214): entry.kind_unknown",
    (kind) => {
      expect(answers(["kind"], kind)).toEqual(["entry.kind_unknown"]);
    },
  );

  it("accept the kind agent, which has no admission path (RS-05)", () => {
    expect(answers(["kind"], "agent")).toEqual([]);
  });

  it.each(["\u0430ctive", "Active", "active ", "paused", "", 0, null])(
    "refuse the lifecycle %j RS-07 (ADR-0092-214): lifecycle.unknown",
    (state) => {
      expect(answers(["lifecycle", "state"], state)).toEqual(["lifecycle.unknown"]);
    },
  );

  it.each([
    [["origin"], "second-party"],
    [["deployment"], "staging"],
    [["protocol", "name"], "a2a"],
    [["protocol", "versions", 0], "2024-11-05"],
    [["protocol", "versions", 0], "2026-07-28"],
    [["protocol", "versions"], []],
    [["transport", "type"], "sse"],
    [["riskClass"], "none"],
    [["tools", 0, "riskClass"], "Read"],
    [["tools"], []],
    [["tools", 0, "permissions"], []],
    [["permissions"], []],
    [["health", "status"], "ok"],
    [["evaluation", "status"], "skipped"],
    [["review", "basis"], "waived"],
    [["configuration", 0, "required"], "true"],
    [["surface", "observedWith", "clientCapabilities"], []],
  ] as const)("refuse %j with %j: registry.field_invalid", (path, value) => {
    expect(answers(path, value)).toContain("registry.field_invalid");
  });
});

describe("tools and commands", () => {
  it.each([
    "",
    "a b",
    "a/b",
    "b\u0435llona_ping",
    "ping\u200b",
    "ping ",
    "x".repeat(129),
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
  ])("refuse the tool name %j SN-07, SN-08: registry.field_invalid", (name) => {
    expect(answers(["tools", 0, "name"], name)).toContain("registry.field_invalid");
  });

  it.each(["a\nb", "a\u0001b", "a\u001b[2K", "", "\u202e", "a\u2028b", "x".repeat(1025)])(
    "refuse the command-line word %j RP-13: registry.field_invalid",
    (word) => {
      expect(answers(["transport", "command"], word)).toContain("registry.field_invalid");
      expect(answers(["transport", "args", 0], word)).toContain("registry.field_invalid");
    },
  );

  it("accept shell characters in a word, which no shell will read (RP-13)", () => {
    expect(answers(["transport", "args", 0], "; rm -rf $(x) `y` | z")).toEqual([]);
  });

  it.each([
    "notes",
    "http://",
    "https://notes.eve.example",
    "https://notes.eve.example/mcp?x=1",
    "https://notes.eve.example/mcp#x",
    "https://u@notes.eve.example/mcp",
    "HTTPS://notes.eve.example/mcp",
    "https://notes.eve.example/a/../mcp",
    `https://notes.eve.example/${"a".repeat(2023)}`,
  ])("refuse the URL %j: registry.field_invalid", (url) => {
    expect(answers(["transport", "url"], url, HTTP)).toContain("registry.field_invalid");
  });
});
