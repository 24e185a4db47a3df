import type { JsonValue } from "@eve/canonical-json";
import { type Refusal, refusal } from "@eve/registry-schema";
import { member } from "../pins.ts";
import { printableName, printablePointer } from "../printable.ts";
import type { Surface } from "../surface.ts";
import { rootFault, type SchemaFault, schemaFaults } from "./schema-safety.ts";

/**
 * Refuses the schemas of a surface's tools that would make a client fetch, loop or hang: `schema.not_object`,
 * `schema.remote_ref`, `schema.too_complex`, `schema.pattern_unsafe`.
 */
export function judgeSchemas(integration: string, surface: Surface): readonly Refusal[] {
  return surface.tools.flatMap((tool) => {
    const name = printableName(member(tool, "name"));
    const [input, output] = [member(tool, "inputSchema"), member(tool, "outputSchema")];
    const refusalsOf = (part: string, faults: readonly SchemaFault[]): readonly Refusal[] =>
      faults.map(({ code, pointer, expected, actual }) =>
        refusal(code, {
          integration,
          subject: `tools.${name}.${part}${printablePointer(pointer)}`,
          expected,
          actual,
        }),
      );
    return [
      ...refusalsOf("inputSchema", [...rootFault(input), ...faultsOf(input)]),
      ...refusalsOf("outputSchema", faultsOf(output)),
    ];
  });
}

function faultsOf(schema: JsonValue | undefined): readonly SchemaFault[] {
  return schema === undefined ? [] : schemaFaults(schema);
}
