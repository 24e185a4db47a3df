import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verdict } from "./kit.ts";
import { missingNote, runsAgainst, sharedFolder } from "@eve/config/shared-folder";

const folder = sharedFolder("vectors", "json-test-suite", "test_parsing");

/** The one verdict on each file that RFC 8259 leaves to the implementation. */
const implementationDefined: Readonly<Record<string, string>> = {
  "i_number_double_huge_neg_exp.json": "number_invalid",
  "i_number_huge_exp.json": "number_invalid",
  "i_number_neg_int_huge_exp.json": "number_invalid",
  "i_number_pos_double_huge_exp.json": "number_invalid",
  "i_number_real_neg_overflow.json": "number_invalid",
  "i_number_real_pos_overflow.json": "number_invalid",
  "i_number_real_underflow.json": "number_invalid",
  "i_number_too_big_neg_int.json": "number_invalid",
  "i_number_too_big_pos_int.json": "accepted", // 10^20 is a double
  "i_number_very_big_negative_int.json": "number_invalid",
  "i_object_key_lone_2nd_surrogate.json": "string_invalid",
  "i_string_1st_surrogate_but_2nd_missing.json": "string_invalid",
  "i_string_1st_valid_surrogate_2nd_invalid.json": "string_invalid",
  "i_string_UTF-16LE_with_BOM.json": "unparseable",
  "i_string_UTF-8_invalid_sequence.json": "unparseable",
  "i_string_UTF8_surrogate_U+D800.json": "unparseable",
  "i_string_incomplete_surrogate_and_escape_valid.json": "string_invalid",
  "i_string_incomplete_surrogate_pair.json": "string_invalid",
  "i_string_incomplete_surrogates_escape_valid.json": "string_invalid",
  "i_string_invalid_lonely_surrogate.json": "string_invalid",
  "i_string_invalid_surrogate.json": "string_invalid",
  "i_string_invalid_utf-8.json": "unparseable",
  "i_string_inverted_surrogates_U+1D11E.json": "string_invalid",
  "i_string_iso_latin_1.json": "unparseable",
  "i_string_lone_second_surrogate.json": "string_invalid",
  "i_string_lone_utf8_continuation_byte.json": "unparseable",
  "i_string_not_in_unicode_range.json": "unparseable",
  "i_string_overlong_sequence_2_bytes.json": "unparseable",
  "i_string_overlong_sequence_6_bytes.json": "unparseable",
  "i_string_overlong_sequence_6_bytes_null.json": "unparseable",
  "i_string_truncated-utf-8.json": "unparseable",
  "i_string_utf16BE_no_BOM.json": "unparseable",
  "i_string_utf16LE_no_BOM.json": "unparseable",
  "i_structure_500_nested_arrays.json": "too_deep",
  "i_structure_UTF-8_BOM_empty_object.json": "unparseable",
};

/** The verdicts of the files whose name starts with the prefix. */
function verdicts(prefix: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.startsWith(prefix));
  return new Map(files.map((file) => [file, verdict(readFileSync(join(folder, file)))]));
}

// Not part of the repository: where the folder is missing the title says so, and under CI that is a failure.
describe.runIf(runsAgainst(folder))(`JSONTestSuite${missingNote(folder)}`, () => {
  it("has every n_ file refused", () => {
    const results = verdicts("n_");
    expect(results.size).toBeGreaterThanOrEqual(188);
    expect([...results].filter(([, result]) => result === "accepted")).toEqual([]);
  });

  it("has every y_ file accepted, but those that use a name twice: duplicate_key", () => {
    const results = verdicts("y_");
    expect(results.size).toBeGreaterThanOrEqual(95);
    expect([...results].filter(([, result]) => result !== "accepted")).toEqual([
      ["y_object_duplicated_key.json", "duplicate_key"],
      ["y_object_duplicated_key_and_value.json", "duplicate_key"],
    ]);
  });

  it("has one verdict on every i_ file", () => {
    const results = verdicts("i_");
    expect(results.size).toBeGreaterThanOrEqual(35);
    expect(Object.fromEntries(results)).toEqual(implementationDefined);
  });
});
