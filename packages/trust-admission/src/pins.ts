import {
  canonicalObject,
  framedDigest,
  framedTextDigest,
  type JsonObject,
  type JsonValue,
  type Sha256,
} from "@eve/canonical-json";
import type { Surface } from "./surface.ts";

/** Version of the pins' framing. A new format re-encodes identical content; it never approves changed content. */
export const PIN_FORMAT = 1;

export type PinPart =
  | "inputSchema"
  | "description"
  | "definition"
  | "instructions"
  | "capabilities"
  | "prompts"
  | "resources";

/** The pins of one tool, from its raw wire object. */
export interface ToolPins {
  readonly inputSchema: Sha256;
  readonly description: Sha256;
  readonly definition: Sha256;
}

/** The pins of a surface; `tools` in the order listed, with names as the server sent them. */
export interface SurfacePins {
  readonly tools: readonly { readonly name: JsonValue | undefined; readonly pins: ToolPins }[];
  readonly instructions: Sha256;
  readonly capabilities: Sha256;
  readonly prompts: Sha256;
  readonly resources: Sha256;
}

/** SHA-256 over `eve/pin/1/<part>`, a NUL, and the RFC 8785 form; an absent value adds no bytes. */
export function pin(part: PinPart, value: JsonValue | undefined): Sha256 {
  return framedDigest(domain(part), value);
}

/** Pins of one raw tool object. */
function toolPins(tool: JsonObject): ToolPins {
  // Its canonical form holds those of its members: written once, digested three times.
  const { text, members } = canonicalObject(tool);
  return {
    inputSchema: framedTextDigest(domain("inputSchema"), members.get("inputSchema")),
    description: framedTextDigest(domain("description"), members.get("description")),
    definition: framedTextDigest(domain("definition"), text),
  };
}

function domain(part: PinPart): string {
  return `eve/pin/${PIN_FORMAT}/${part}`;
}

/** All pins of a surface. The order of prompts, resources and templates is no part of their pins. */
export function surfacePins(surface: Surface): SurfacePins {
  return {
    tools: surface.tools.map((tool) => ({ name: member(tool, "name"), pins: toolPins(tool) })),
    instructions: pin("instructions", surface.instructions),
    capabilities: pin("capabilities", surface.capabilities),
    prompts: pin("prompts", unordered(surface.prompts, "prompts")),
    resources: pin("resources", resourcesOf(surface)),
  };
}

function resourcesOf({ resources, resourceTemplates }: Surface): JsonObject | undefined {
  if (resources === undefined && resourceTemplates === undefined) return undefined;
  return {
    ...(resources && { resources: unordered(resources, "resources") ?? [] }),
    ...(resourceTemplates && {
      resourceTemplates: unordered(resourceTemplates, "resources") ?? [],
    }),
  };
}

/** The digests of the items, sorted: equal lists in another order get one pin, repeated items do not vanish. */
function unordered(
  items: readonly JsonObject[] | undefined,
  part: PinPart,
): readonly string[] | undefined {
  return items?.map((item) => framedDigest(`eve/pin/${PIN_FORMAT}/${part}/item`, item)).toSorted();
}

/** An own member; a name from the prototype is absent. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
