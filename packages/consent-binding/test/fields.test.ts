import { isConsentId } from "@eve/consent-binding";
import { describe, expect, it } from "vitest";

const ID = "3f2c8a54-9d1e-4b7a-8c60-5e4d3c2b1a09";

describe("a consent id", () => {
  it("is a random UUID in lower case", () => {
    expect(isConsentId(ID)).toBe(true);
  });

  it.each([
    ["a list", [ID]],
    ["an object", { $ne: null }],
    ["a number", 7],
    ["null", null],
    ["upper case", ID.toUpperCase()],
    ["braces", `{${ID}}`],
    ["a URN", `urn:uuid:${ID}`],
    ["no hyphens", ID.replaceAll("-", "")],
    ["a line end", `${ID}\n`],
    ["a space before", ` ${ID}`],
    ["a prototype's name", "__proto__"],
    ["SQL", "' OR 1=1--"],
    ["another version", ID.replace("-4b", "-7b")],
    ["another variant", ID.replace("-8c", "-cc")],
    ["the nil UUID", "00000000-0000-0000-0000-000000000000"],
    ["full-width digits", ID.replace("3", "３")],
  ])("is not %s", (_title, value) => {
    expect(isConsentId(value)).toBe(false);
  });
});
