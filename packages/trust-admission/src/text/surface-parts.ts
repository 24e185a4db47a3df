import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { member } from "../pins.ts";
import type { Surface } from "../surface.ts";
import { escapePointer } from "./hidden-text.ts";

/** One part of a surface and where it stands. */
export interface SurfacePart {
  readonly field: string;
  readonly value: JsonValue;
}

/** The parts of a surface in order; the items of a list by what names them, or their place where nothing does. */
export function surfaceParts(surface: Surface): readonly SurfacePart[] {
  const { instructions, capabilities, tools, prompts, resources, resourceTemplates } = surface;
  return [
    ...one("/instructions", instructions),
    ...one("/capabilities", capabilities),
    ...named("/tools", "name", tools),
    ...named("/prompts", "name", prompts),
    ...named("/resources", "uri", resources),
    ...named("/resourceTemplates", "uriTemplate", resourceTemplates),
  ];
}

function one(field: string, value: JsonValue | undefined): readonly SurfacePart[] {
  return value === undefined ? [] : [{ field, value }];
}

function named(
  field: string,
  by: string,
  items: readonly JsonObject[] | undefined,
): readonly SurfacePart[] {
  return (items ?? []).map((value, at) => {
    const name = member(value, by);
    return { field: `${field}/${typeof name === "string" ? escapePointer(name) : at}`, value };
  });
}
