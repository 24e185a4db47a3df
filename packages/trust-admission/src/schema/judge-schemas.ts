import type { JsonValue } from "@eve/canonical-json";
import { type Refusal, refusal } from "@eve/registry-schema";
import { member } from "../pins.ts";
import { printableName, printablePointer } from "../printable.ts";
import type { Surface } from "../surface.ts";
import { headerFaults } from "./header-faults.ts";
import {
  faultsOfSubschemas,
  MAX_SUBSCHEMAS,
  outputRootFault,
  rootFault,
  type SchemaFault,
  schemaFaults,
  subschemasOf,
} from "./schema-safety.ts";
import { MAX_SUBSCHEMAS_OF_SURFACE, type Work, workForSurface } from "./work.ts";

/** Most faults that are told of one surface. */
const MAX_REFUSALS = 1_000;

/**
 * Refuses the schemas of a surface's tools that would make a client fetch, loop or hang: `schema.not_object`,
 * `schema.remote_ref`, `schema.too_complex`, `schema.pattern_unsafe`, or send what it cannot: `schema.header_invalid`.
 * Of a surface with more in it than is judged, what is left is one more refusal.
 */
export function judgeSchemas(integration: string, surface: Surface): readonly Refusal[] {
  const work = workForSurface();
  const refusals: Refusal[] = [];
  for (const tool of surface.tools) {
    const name = printableName(member(tool, "name"));
    const [input, output] = [member(tool, "inputSchema"), member(tool, "outputSchema")];
    const faults = [
      ...rootFault(input).map((fault) => ({ part: "inputSchema", ...fault })),
      ...faultsOf(input, work, true).map((fault) => ({ part: "inputSchema", ...fault })),
      ...outputRootFault(output).map((fault) => ({ part: "outputSchema", ...fault })),
      ...faultsOf(output, work, false).map((fault) => ({ part: "outputSchema", ...fault })),
    ];
    for (const { part, code, pointer, expected, actual } of faults) {
      const subject = `tools.${name}.${part}${printablePointer(pointer)}`;
      refusals.push(refusal(code, { integration, subject, expected, actual }));
    }
    if (work.subschemas < 0 || refusals.length > MAX_REFUSALS)
      return [...refusals.slice(0, MAX_REFUSALS), tooMuch(integration)];
  }
  return refusals;
}

function faultsOf(
  schema: JsonValue | undefined,
  work: Work,
  isInput: boolean,
): readonly SchemaFault[] {
  if (schema === undefined) return [];
  const subschemas = subschemasOf(schema);
  work.subschemas -= typeof subschemas === "string" ? MAX_SUBSCHEMAS : subschemas.size;
  if (typeof subschemas === "string") return schemaFaults(schema, work);
  return [
    ...faultsOfSubschemas(schema, subschemas, work),
    ...(isInput ? headerFaults(subschemas) : []),
  ];
}

function tooMuch(integration: string): Refusal {
  return refusal("schema.too_complex", {
    integration,
    subject: "tools",
    expected: `at most ${MAX_SUBSCHEMAS_OF_SURFACE} subschemas and ${MAX_REFUSALS} faults in all`,
    actual: "more, which were not looked at",
  });
}
