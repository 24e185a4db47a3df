import { maybeSamePrincipal } from "@eve/consent-binding";
import { describe, expect, it } from "vitest";

describe("two names may be one principal's", () => {
  it.each([
    ["alice", "alice"],
    ["alice", "Alice"],
    ["alice", "alice "],
    ["alice", "al\u200bice"],
    ["alice", "alice+1"],
    ["alice@example.org", "Alice+ops@example.org"],
    ["alice", "ａｌｉｃｅ"],
    ["caf\u00e9", "cafe\u0301"],
    ["STRASSE", "strasse"],
  ])("%j and %j", (one, other) => {
    expect(maybeSamePrincipal(one, other)).toBe(true);
    expect(maybeSamePrincipal(other, one)).toBe(true);
  });

  it.each([
    ["alice", "alicia"],
    ["alice", "bob"],
    ["alice@example.org", "alice@example.com"],
    ["alice-1", "alice-2"],
  ])("but not %j and %j", (one, other) => {
    expect(maybeSamePrincipal(one, other)).toBe(false);
  });
});
