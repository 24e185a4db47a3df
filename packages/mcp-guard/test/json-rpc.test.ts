import { describe, expect, it } from "vitest";
import { isSameId, MAX_ID_LENGTH, parseRpcLine } from "../src/index.ts";
import { utf8 } from "./kit.ts";

function parse(line: string | Uint8Array): ReturnType<typeof parseRpcLine> {
  return parseRpcLine(typeof line === "string" ? utf8(line) : line, 1024);
}

function reasonOf(line: string | Uint8Array): string {
  const parsed = parse(line);
  return parsed.ok ? "accepted" : parsed.reason;
}

/** A result whose id has this many characters. */
function resultOf(length: number): string {
  return `{"jsonrpc":"2.0","id":"${"i".repeat(length)}","result":{}}`;
}

describe("one JSON-RPC message", () => {
  it("is a result, an error, a request or a notification", () => {
    expect(parse('{"jsonrpc":"2.0","id":1,"result":{}}')).toEqual({
      ok: true,
      message: { kind: "result", id: 1, result: {} },
    });
    expect(
      parse('{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"m","data":[1]}}'),
    ).toEqual({
      ok: true,
      message: { kind: "error", id: "a", error: { code: -1, message: "m", data: [1] } },
    });
    expect(parse('{"jsonrpc":"2.0","id":0,"method":"ping"}')).toEqual({
      ok: true,
      message: { kind: "request", id: 0, method: "ping", params: undefined },
    });
    expect(parse('{"jsonrpc":"2.0","method":"n","params":{"a":1}}')).toEqual({
      ok: true,
      message: { kind: "notification", method: "n", params: { a: 1 } },
    });
  });

  it.each([
    '{"jsonrpc":"2.0","error":{"code":1,"message":""}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}',
  ])("may be an error without an id: %s", (line) => {
    expect(parse(line)).toMatchObject({ ok: true, message: { kind: "error", id: null } });
  });
});

describe("what is no JSON-RPC message is refused in words of ours", () => {
  it.each([
    ["a batch (D20)", '[{"jsonrpc":"2.0","id":1,"result":{}}]', "a batch array"],
    ["a scalar", '"text"', "a JSON value that is no object"],
    ["null", "null", "a JSON value that is no object"],
    [
      "another jsonrpc",
      '{"jsonrpc":"1.0","id":1,"result":{}}',
      "an object whose jsonrpc is not 2.0",
    ],
    ["no jsonrpc", '{"id":1,"result":{}}', "an object whose jsonrpc is not 2.0"],
    ["neither result nor method", '{"jsonrpc":"2.0","id":1}', "a result that is no object"],
    [
      "a result that is a list",
      '{"jsonrpc":"2.0","id":1,"result":[]}',
      "a result that is no object",
    ],
    [
      "both result and error",
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
      "an error response with an unknown member",
    ],
    [
      "both result and method",
      '{"jsonrpc":"2.0","id":1,"method":"m","result":{}}',
      "a request with an unknown member",
    ],
    [
      "Method beside method",
      '{"jsonrpc":"2.0","id":1,"method":"a","Method":"b"}',
      "a request with an unknown member",
    ],
    [
      "method\\u0000 beside method",
      '{"jsonrpc":"2.0","id":1,"method":"a","method\\u0000":"b"}',
      "a request with an unknown member",
    ],
    [
      "a result with Result",
      '{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}',
      "a response with an unknown member",
    ],
    ["a method that is no name", '{"jsonrpc":"2.0","id":1,"method":7}', "a method that is no name"],
    [
      "params that are a list",
      '{"jsonrpc":"2.0","id":1,"method":"m","params":[]}',
      "params that are no object",
    ],
    [
      "a result without an id",
      '{"jsonrpc":"2.0","result":{}}',
      "an id that is neither a string nor an integer",
    ],
    [
      "a result whose id is null",
      '{"jsonrpc":"2.0","id":null,"result":{}}',
      "an id that is neither a string nor an integer",
    ],
    [
      "a request whose id is a fraction",
      '{"jsonrpc":"2.0","id":1.5,"method":"m"}',
      "an id that is neither a string nor an integer",
    ],
    [
      "an error that is a text",
      '{"jsonrpc":"2.0","id":1,"error":"e"}',
      "an error that is no JSON-RPC error",
    ],
    [
      "an error without a code",
      '{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}',
      "an error that is no JSON-RPC error",
    ],
    [
      "an error with another member",
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","Code":2}}',
      "an error that is no JSON-RPC error",
    ],
    ["an empty line", "", "unparseable at byte 0"],
    ["a byte order mark", '\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}', "unparseable at byte 0"],
  ])("%s", (_, line, reason) => {
    expect(reasonOf(line)).toBe(reason);
  });

  it.each([
    [
      "a duplicate key, spelt differently (D21)",
      '{"jsonrpc":"2.0","id":1,"result":{"a":1,"\\u0061":2}}',
      "duplicate_key",
    ],
    ["__proto__ (SR-10)", '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{}}}', "unsafe_key"],
    [
      "an integer that no double holds",
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
      "number_invalid",
    ],
    ["a lone surrogate", '{"jsonrpc":"2.0","id":"\\ud800","result":{}}', "string_invalid"],
    [
      "65 levels",
      `{"jsonrpc":"2.0","id":1,"result":{"a":${"[".repeat(65)}${"]".repeat(65)}}}`,
      "too_deep",
    ],
    [
      "more bytes than allowed",
      `{"jsonrpc":"2.0","id":1,"result":{"a":"${"x".repeat(1024)}"}}`,
      "too_large",
    ],
  ])("%s", (_, line, fault) => {
    expect(reasonOf(line)).toMatch(new RegExp(`^${fault} at byte \\d+$`));
  });

  it("invalid UTF-8", () => {
    expect(reasonOf(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toMatch(/^unparseable at byte \d+$/);
  });

  it("a string id that is too long", () => {
    expect(reasonOf(resultOf(MAX_ID_LENGTH))).toBe("accepted");
    expect(reasonOf(resultOf(MAX_ID_LENGTH + 1))).toBe(
      "an id that is neither a string nor an integer",
    );
  });
});

it("compares ids by type and value (SR-04)", () => {
  expect(isSameId(1, 1)).toBe(true);
  expect(isSameId("1", "1")).toBe(true);
  expect(isSameId("1", 1)).toBe(false);
  expect(isSameId(null, 0)).toBe(false);
});
