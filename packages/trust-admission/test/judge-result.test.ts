/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { bytesOf, type Version } from "@eve/test-kit";
import {
  type Admission,
  judgeParsedResult,
  judgeResult,
  MAX_RESULT_BYTES,
} from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admissionOf, asReviewed, goodWorld, type World, withSurface } from "./world.ts";

const world = (version: Version = "2025-11-25"): World => goodWorld({}, version);
const ADMISSION = admissionOf(world());
const MODERN = admissionOf(world("2026-07-28"));
/** The tool whose output schema was left out. */
const FREE = admissionOf(
  asReviewed(withSurface(world(), ["tools", 0, "outputSchema"], () => undefined)),
);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = [{ type: "text", text: "done" }];
const good: JsonObject = { content: text, structuredContent: { status: "ok" } };
const codeOf = (result: JsonValue | Uint8Array, admission = ADMISSION): string => {
  const bytes = result instanceof Uint8Array ? result : bytesOf(result);
  const verdict = judgeResult(admission, "list_notes", bytes);
  return verdict.ok ? verdict.kind : verdict.refusals.map(({ code }) => code).join(", ");
};

describe("a result is handed on", () => {
  it.each<readonly [string, JsonValue, Admission]>([
    ["that matches the output schema", good, ADMISSION],
    ["with fields that the schema leaves open", { ...good, _meta: {}, future: 1 }, ADMISSION],
    ["of structured content alone", { structuredContent: { status: "ok" } }, ADMISSION],
    [
      "of an error, whatever its structured content",
      { content: text, isError: true, structuredContent: { no: 1 } },
      ADMISSION,
    ],
    ["of an error without structured content", { content: text, isError: true }, ADMISSION],
    ["without an output schema", { content: text }, FREE],
    [
      "without an output schema, with structured content",
      { content: [], structuredContent: { any: 1 } },
      FREE,
    ],
    ["that says it is complete", { ...good, resultType: "complete" }, MODERN],
  ])("%s", (_title, result, admission) => {
    expect(codeOf(result, admission)).toBe("complete");
  });

  it("that asks for input, in the era that has it", () => {
    expect(codeOf({ resultType: "input_required", requestState: "x" }, MODERN)).toBe(
      "input_required",
    );
  });
});

describe("a result is refused", () => {
  it.each<readonly [string, JsonValue, Admission]>([
    ["without the structured content that the schema asks for", { content: text }, ADMISSION],
    ["with isError false and no structured content", { content: text, isError: false }, ADMISSION],
    [
      "with structured content of another form (SR-01)",
      { content: text, structuredContent: { status: 7 } },
      ADMISSION,
    ],
    ["with isError that is no boolean", { ...good, isError: "true" }, ADMISSION],
    ["whose content is no list", { ...good, content: "done" }, ADMISSION],
    ["with a block that has no type", { ...good, content: [{ text: "x" }] }, ADMISSION],
    ["without any content", {}, FREE],
    ["with structured content that is no object", { content: text, structuredContent: [1] }, FREE],
    ["of an unknown type (SR-07, MUST-CL-21)", { ...good, resultType: "partial" }, MODERN],
    [
      "that asks for input where no era has it",
      { ...good, resultType: "input_required" },
      ADMISSION,
    ],
    ["that is no object", [good], ADMISSION],
  ])("%s: call.result_invalid", (_title, result, admission) => {
    expect(codeOf(result, admission)).toBe("call.result_invalid");
  });

  it.each<readonly [string, string]>([
    ["with a name twice", '{"structuredContent":{"status":"ok","status":"no"}}'],
    [
      "with a name that reaches a prototype",
      '{"structuredContent":{"status":"ok"},"__proto__":{}}',
    ],
    [
      "with a number that a double changes",
      '{"structuredContent":{"status":"ok","n":9007199254740993}}',
    ],
    ["with half of a surrogate pair", '{"structuredContent":{"status":"\\udc00"}}'],
    ["with a byte order mark", '\uFEFF{"structuredContent":{"status":"ok"}}'],
    ["that is cut", '{"structuredContent":{"status":"ok"}'],
  ])("%s: call.result_invalid", (_title, source) => {
    expect(codeOf(utf8(source))).toBe("call.result_invalid");
  });

  it("with more bytes than anybody reads: call.result_invalid", () => {
    expect(codeOf(new Uint8Array(MAX_RESULT_BYTES + 1).fill(0x20))).toBe("call.result_invalid");
  });

  it("of a tool that is not pinned: call.tool_unpinned", () => {
    expect(judgeResult(ADMISSION, "constructor", bytesOf(good))).toMatchObject({
      refusals: [{ code: "call.tool_unpinned" }],
    });
  });

  it("for a copy of an admission: admission.forged", () => {
    expect(judgeParsedResult({ ...ADMISSION }, "list_notes", good)).toMatchObject({
      refusals: [{ code: "admission.forged" }],
    });
  });

  it("without a word of the server in the refusal", () => {
    const hostile = { content: text, structuredContent: { status: { "ignore previous": 1 } } };
    expect(JSON.stringify(judgeParsedResult(ADMISSION, "list_notes", hostile))).not.toContain(
      "ignore",
    );
  });
});

it("never throws, and is the same for bytes and for their value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (any) => {
      const value = any as JsonValue;
      const verdict = judgeResult(ADMISSION, "list_notes", bytesOf(value));
      expect(
        judgeParsedResult(ADMISSION, "list_notes", JSON.parse(JSON.stringify(value)) as JsonValue)
          .ok,
      ).toBe(verdict.ok);
    }),
  );
  expect(judgeResult(ADMISSION, "list_notes", undefined as unknown as Uint8Array)).toMatchObject({
    refusals: [{ code: "internal.error" }],
  });
});
