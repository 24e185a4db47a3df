import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { missingNote } from "@eve/config/shared-folder";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaCheck } from "../src/call/schema-check.ts";
import { member } from "../src/pins.ts";
import { RECORDED, recorded, recordings } from "./recorded.ts";

const options = { strict: false, validateFormats: false, logger: false } as const;

/** The other validator's answer, in the dialect that the schema names. */
function other(schema: JsonObject): (value: JsonValue) => boolean {
  const { $schema, ...rest } = schema;
  const isOld = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  const validate = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(rest);
  return (value) => validate(value);
}

/** A value that fits a schema more often than chance would have it; the fuel ends what goes deep. */
function valueFor(
  schema: JsonValue | undefined,
  root: JsonObject,
  fuel = 6,
): fc.Arbitrary<unknown> {
  const any = fc.jsonValue({ maxDepth: 1 });
  if (!isJsonObject(schema) || fuel === 0) return any;
  const list = (name: string): readonly JsonValue[] => {
    const value = schema[name];
    return Array.isArray(value) ? value : [];
  };
  const { $ref, properties, items, minimum } = schema;
  if (typeof $ref === "string") {
    let at: JsonValue | undefined = root;
    for (const key of $ref.split("/").slice(1)) at = isJsonObject(at) ? at[key] : undefined;
    return valueFor(at, root, fuel - 1);
  }
  const fixed = "const" in schema ? [schema["const"]] : list("enum");
  if (fixed.length > 0) return fc.oneof(fc.constantFrom(...fixed), any);
  const choices = [...list("anyOf"), ...list("oneOf"), ...list("allOf")];
  if (choices.length > 0)
    return fc.oneof(...choices.map((choice) => valueFor(choice, root, fuel - 1)), any);
  if (isJsonObject(properties)) {
    const members = Object.entries(properties).map(
      ([name, inner]) => [name, valueFor(inner, root, fuel - 1)] as const,
    );
    const whole = fc.record(Object.fromEntries(members), { requiredKeys: [] });
    return fc.oneof({ weight: 6, arbitrary: whole }, { weight: 1, arbitrary: any });
  }
  if (items !== undefined)
    return fc.oneof(fc.array(valueFor(items, root, fuel - 1), { maxLength: 3 }), any);
  const low = typeof minimum === "number" ? Math.round(minimum) : 0;
  const type = schema["type"];
  if (type === "string")
    return fc.oneof(fc.string(), fc.constantFrom("a", "https://x.example"), any);
  if (type === "number" || type === "integer")
    return fc.oneof(fc.integer({ min: low - 1, max: low + 3 }), fc.constant(0.5), any);
  return type === "boolean" ? fc.oneof(fc.boolean(), any) : any;
}

const cases = recordings().flatMap((file) =>
  recorded(file).tools.flatMap((tool) =>
    ["inputSchema", "outputSchema"].flatMap((part) => {
      const schema = member(tool, part);
      return isJsonObject(schema)
        ? [{ title: `${file} ${JSON.stringify(member(tool, "name"))} ${part}`, schema }]
        : [];
    }),
  ),
);

describe.runIf(cases.length > 0)(
  `the check of a schema answers as another validator does${missingNote(RECORDED)}`,
  () => {
    it("for every recorded schema of a public server, and values that fit and do not", () => {
      const seen = { fits: 0, misfits: 0 };
      for (const { title, schema } of cases) {
        const [check, theirs] = [schemaCheck(schema), other(schema)];
        fc.assert(
          fc.property(valueFor(schema, schema), (any) => {
            const value: JsonValue = JSON.parse(JSON.stringify(any));
            const fits = check(value) === undefined;
            seen[fits ? "fits" : "misfits"] += 1;
            expect({ title, value, fits }).toEqual({ title, value, fits: theirs(value) });
          }),
          { numRuns: 25 },
        );
      }
      expect(cases.length).toBeGreaterThan(150);
      expect(seen.fits).toBeGreaterThan(200);
      expect(seen.misfits).toBeGreaterThan(200);
    });
  },
);
