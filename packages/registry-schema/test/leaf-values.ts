import type { JsonValue } from "@eve/canonical-json";

/** Values by what they resemble: some of them good in one place of an entry or another. */
const KINDS: Readonly<Record<string, readonly JsonValue[]>> = {
  types: [null, true, 0, -1, 7, 1.5, [], {}, [""], { a: 1 }],
  blanks: ["", " ", "\u200b", "\u0301", "\u2028", "\u3164", "\ue000"],
  texts: ["a", "A", "0", "-a", "notes", "a b", "a\nb", "*", "null", "\u8bb0\u4e8b\u672c", "a_b"],
  lookAlikes: ["caf\u00e9", "n\u043etes", "list_notes", "list-n0tes"],
  lengths: ["x".repeat(65), "x".repeat(129), "x".repeat(501), "x".repeat(513), "x".repeat(1025)],
  astral: ["😀".repeat(300), "😀".repeat(1025), `a${"😀".repeat(499)}`, `a${"😀".repeat(500)}`],
  versions: ["1.0.0", "1.0", "v1.0.0", "1.0.0-rc.1", "01.0.0", "2025-06-18"],
  digests: ["0".repeat(64), "A".repeat(64), "0".repeat(63), `sha256:${"0".repeat(64)}`, "sha512-"],
  instants: ["2026-12-01T11:00:00Z", "2026-02-29T00:00:00Z", "2026-12-01", "2026-06-30T23:59:60Z"],
  odderInstants: ["2026-12-01T11:00:00.1234Z", "2026-12-01T11:00:00+00:00", "1969-12-31T23:59:59Z"],
  paths: ["../x", "a/./b", "/etc/passwd", "a/b", "dist/main.js", "a//b", "a\\b", "@scope/name"],
  origins: ["https://a.example", "https://A.example", "https://a.example/", "https://a.example."],
  ports: ["https://a.example:443", "https://a.example:99999", "http://127.0.0.1:80"],
  addresses: ["http://127.0.0.1:8080", "http://127.1", "https://2130706433", "https://[::1]"],
  moreAddresses: ["https://[0:0:0:0:0:0:0:1]", "http://[::1]", "http://a.example", "https://*"],
  hosts: ["https://b\u00fccher.example", "https://a!b.example", 'https://a"b.example'],
  urls: [
    "https://notes.eve.example/mcp?x",
    "https://notes.eve.example/a/../mcp",
    "wss://a.example",
  ],
  moreUrls: ["https://u@a.example", "https://a%41.example", "https://notes.eve.example/other"],
  permissions: ["notes:read", "notes:*", "notes:"],
  variables: ["NODE_OPTIONS", "HTTP_PROXY", "PATH", "NOTES_X"],
  inherited: ["constructor", "toString", "__proto__"],
  words: ["read", "write", "production", "local-reference", "agent", "third-party", "first-party"],
  states: ["active", "generated", "failed"],
  commands: ["sh", "npx", "node", "-r"],
};

/** Values of all types and classes, for the place of any leaf of an entry. */
export const LEAF_VALUES: readonly JsonValue[] = Object.values(KINDS).flat();
