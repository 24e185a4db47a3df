import { canonicalJson, type JsonValue, parseJson } from "@eve/canonical-json";
import {
  bindingDigest,
  type ConsentBinding,
  decodeBinding,
  encodeBinding,
} from "@eve/consent-binding";
import { leavesOf, withChange, withValue } from "@eve/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindingJson, flipped, GOOD_BINDING, utf8 } from "./kit.ts";

// Written by hand from RFC 8785; the digests by `printf 'eve/consent/1\\0%s' "$TEXT" | sha256sum`.
const TEXT =
  '{"actor":"builder","arguments":{"channel":"beta","itemId":"item-7"},"consentId":"3f2c8a54-9d1e-4b7a-8c60-5e4d3c2b1a09","entryDigest":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","expiresAt":"2026-12-01T12:10:00Z","integration":"oshun-workbench","preview":{"destinations":[{"dataClasses":["work-items"],"origin":"https://workbench.example"}],"effect":{"channel":"beta"},"from":"submitted","itemId":"item-7","to":"shipped","version":3},"tenant":"acme","tool":"workbench_ship_item","toolPins":{"description":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","inputSchema":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"version":1}';
const DIGEST = "8bbce9ac9a1de3262c593a66d6588deee4e7ad0f22c938132c844f2aac345ed0";
const VERIFY_DIGEST = "e954fa27e7dba5f8a11f51d3a3896d3630ed2f7670cbcbc9ab487e0e8b94f962";

const VERIFY: ConsentBinding = {
  ...GOOD_BINDING,
  tool: "workbench_verify_item",
  arguments: { itemId: "item-7", outcome: "rejected", reason: "café \u202e 1e21" },
  preview: {
    itemId: "item-7",
    from: "shipped",
    to: "rejected",
    version: 0,
    effect: { outcome: "rejected", reason: "café \u202e 1e21" },
    destinations: [],
  },
};

/** Hands over what the type forbids. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a hostile or careless caller
const hostile = (value: JsonValue): ConsentBinding => value as unknown as ConsentBinding;

describe("the bytes of a binding", () => {
  it("are its RFC 8785 form", () => {
    expect(new TextDecoder().decode(encodeBinding(GOOD_BINDING))).toBe(TEXT);
  });

  it("do not depend on the order of the fields", () => {
    const reversed = Object.fromEntries(Object.entries(GOOD_BINDING).toReversed());
    expect(encodeBinding(hostile(reversed))).toEqual(encodeBinding(GOOD_BINDING));
  });

  it("are read back", () => {
    expect(decodeBinding(utf8(TEXT))).toEqual(GOOD_BINDING);
    expect(decodeBinding(encodeBinding(VERIFY))).toEqual(VERIFY);
  });

  it("are read back for any arguments that JSON can carry", () => {
    const argumentsOf = fc
      .dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" }))
      .filter((value) => !Object.hasOwn(value, "consentId") && !Object.hasOwn(value, "__proto__"));
    fc.assert(
      fc.property(argumentsOf, (value) => {
        const text = JSON.stringify(value);
        fc.pre(text.isWellFormed() && !text.includes("__proto__"));
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JSON, and no -0
        const plain = JSON.parse(text) as ConsentBinding["arguments"];
        // Not 2e16 + 1 and its like, which no two programs need read as one number; see below.
        fc.pre(parseJson(utf8(canonicalJson(plain))).ok);
        const binding = { ...GOOD_BINDING, arguments: plain };
        expect(decodeBinding(encodeBinding(binding))).toEqual(binding);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the digest of a binding", () => {
  it("is SHA-256 over its domain, a zero byte and the bytes", () => {
    expect(bindingDigest(utf8(TEXT))).toBe(DIGEST);
    expect(bindingDigest(encodeBinding(VERIFY))).toBe(VERIFY_DIGEST);
  });

  it("changes with any bit of the bytes", () => {
    const bytes = utf8(TEXT);
    for (let at = 0; at < bytes.length; at += 1) {
      expect(bindingDigest(flipped(bytes, at))).not.toBe(DIGEST);
    }
  });

  const LEAVES = leavesOf(bindingJson());

  it("is asked about every leaf", () => {
    expect(LEAVES.length).toBeGreaterThanOrEqual(18);
  });

  it("changes with any changed leaf that a binding may have", () => {
    const other: fc.Arbitrary<JsonValue> = fc.oneof(
      fc.constantFrom<JsonValue[]>("globex", "shipped", "verified", "https://other.example"),
      fc.constantFrom<JsonValue[]>("2026-12-01T12:10:00.001Z", "d".repeat(64), 4, null, true, {}),
      fc.uuid({ version: 4 }),
      fc.string({ minLength: 1 }),
    );
    const digests = new Map<string, string>();
    let encoded = 0;
    fc.assert(
      fc.property(fc.constantFrom(...LEAVES), other, ({ path, value }, next) => {
        fc.pre(JSON.stringify(next) !== JSON.stringify(value));
        const bytes = tryEncode(withValue(bindingJson(), path, next));
        if (!bytes) return;
        encoded += 1;
        const digest = bindingDigest(bytes);
        expect(digest).not.toBe(DIGEST);
        // Two different bindings never share a digest.
        const text = new TextDecoder().decode(bytes);
        expect(digests.get(digest) ?? text).toBe(text);
        digests.set(digest, text);
      }),
      { numRuns: 3000 },
    );
    expect(encoded).toBeGreaterThan(300);
  });

  it.each([
    [["consentId"], "3f2c8a54-9d1e-4b7a-8c60-5e4d3c2b1a08"],
    [["expiresAt"], "2026-12-01T12:10:00.001Z"],
    [["actor"], "Builder"],
    [["tenant"], "acme2"],
    [["integration"], "oshun-workbench2"],
    [["tool"], "workbench_verify_item"],
    [["toolPins", "description"], "b".repeat(64)],
    [["toolPins", "inputSchema"], "a".repeat(64)],
    [["entryDigest"], "d".repeat(64)],
    [["arguments", "channel"], "stable"],
    [["arguments", "itemId"], "item-8"],
    [["preview", "itemId"], "item-8"],
    [["preview", "from"], "claimed"],
    [["preview", "to"], "verified"],
    [["preview", "version"], 4],
    [["preview", "effect", "channel"], "stable"],
    [["preview", "destinations", 0, "origin"], "https://other.example"],
    [["preview", "destinations", 0, "dataClasses", 0], "secrets"],
  ] satisfies (readonly [readonly (string | number)[], JsonValue])[])(
    "changes with %j",
    (path, next) => {
      const bytes = tryEncode(withValue(bindingJson(), path, next));
      expect(bytes).toBeDefined();
      expect(bytes && bindingDigest(bytes)).not.toBe(DIGEST);
    },
  );

  it("tells a text in one Unicode form from the same in another", () => {
    const [nfc, nfd] = ["caf\u00e9", "cafe\u0301"].map((channel) =>
      encodeBinding({ ...GOOD_BINDING, arguments: { channel } }),
    );
    expect(nfc && nfd && bindingDigest(nfc) === bindingDigest(nfd)).toBe(false);
  });

  it("is one for equal spellings of one number, -0 among them", () => {
    const [one, other] = [
      { a: 1, b: 0 },
      { a: 1.0, b: -0 },
    ].map((value) => encodeBinding({ ...GOOD_BINDING, arguments: value }));
    expect(one).toEqual(other);
  });
});

describe("a binding is not read from", () => {
  it.each([
    ["no bytes", ""],
    ["other JSON", "[]"],
    ["white space after it", `${TEXT}\n`],
    ["white space inside it", TEXT.replace(",", ", ")],
    ["another order of members", TEXT.replace(/^\{("actor":"builder"),(.*)\}$/, "{$2,$1}")],
    ["a duplicate member", TEXT.replace("{", '{"actor":"builder",')],
    ["another spelling of a number", TEXT.replace('"version":3', '"version":3.0')],
    ["an escaped letter", TEXT.replace('"beta"', String.raw`"b\u0065ta"`)],
    ["a byte order mark", `\uFEFF${TEXT}`],
    ["half of it", TEXT.slice(0, TEXT.length / 2)],
  ])("%s", (_title, text) => {
    expect(text).not.toBe(TEXT);
    expect(decodeBinding(utf8(text))).toBeUndefined();
  });

  it.each([
    ["another version", ["version"], 2],
    ["a version in words", ["version"], "1"],
    ["an unknown member", ["scope"], "all"],
    ["a missing member", ["tenant"], undefined],
    ["an upper-case id", ["consentId"], GOOD_BINDING.consentId.toUpperCase()],
    ["an id of another kind of UUID", ["consentId"], "3f2c8a54-9d1e-1b7a-8c60-5e4d3c2b1a09"],
    ["an instant that does not exist", ["expiresAt"], "2026-02-29T12:00:00Z"],
    ["an instant with an offset", ["expiresAt"], "2026-12-01T12:10:00+00:00"],
    ["an actor that cannot be read", ["actor"], "build\u202eer"],
    ["an actor without a name", ["actor"], ""],
    ["a tool name of other characters", ["tool"], "workbench ship"],
    ["an integration of other characters", ["integration"], "Oshun"],
    ["a shortened digest", ["entryDigest"], "c".repeat(63)],
    ["pins that are a list", ["toolPins"], []],
    ["arguments that are a text", ["arguments"], "{}"],
    ["arguments that name a consent", ["arguments", "consentId"], GOOD_BINDING.consentId],
    ["an integer that its digits do not hold", ["arguments", "n"], 21_229_989_262_259_270],
    ["a preview that cannot be shown", ["preview", "from"], "shipping"],
    ["a preview with an unknown member", ["preview", "also"], true],
  ] satisfies (readonly [string, readonly string[], JsonValue | undefined])[])(
    "%s",
    (_title, path, next) => {
      const json = withChange(bindingJson(), path, () => next);
      expect(tryEncode(json)).toBeUndefined();
      expect(() => encodeBinding(hostile(json))).toThrow(
        expect.objectContaining({ code: "binding.invalid", name: "ConsentError" }),
      );
    },
  );

  it("what JSON cannot carry", () => {
    for (const value of [undefined, NaN, 1n, new Date(0), "\ud800"]) {
      expect(() => encodeWith(value)).toThrow(
        expect.objectContaining({ name: "CanonicalJsonError" }),
      );
    }
  });
});

function encodeWith(value: unknown): Uint8Array {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a careless caller
  return encodeBinding({ ...GOOD_BINDING, arguments: { value } as ConsentBinding["arguments"] });
}

function tryEncode(json: JsonValue): Uint8Array | undefined {
  try {
    return encodeBinding(hostile(json));
  } catch {
    return undefined;
  }
}
