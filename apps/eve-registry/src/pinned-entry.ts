import type { JsonObject } from "@eve/canonical-json";
import { printableName, type Surface, surfacePins } from "@eve/trust-admission";
import { textOf } from "./json-values.ts";
import { UsageError } from "./usage-error.ts";

/** Surfaces of one server, one a protocol version. */
export type Surfaces = readonly Surface[];

/** The members of an entry that pin what a server shows. */
export interface PinnedMembers {
  readonly tools: readonly JsonObject[];
  readonly surface: JsonObject;
}

/**
 * Pins measured surfaces for an entry. Each tool keeps the class and permissions the entry gives it; a tool that the
 * entry does not know, or that no longer exists, is for a person to decide and is refused. Input schema and
 * description have one pin for all versions, so they must agree.
 */
export function pinSurfaces(
  tools: readonly JsonObject[],
  clientCapabilities: JsonObject,
  surfaces: Surfaces,
): PinnedMembers {
  const measured = surfaces.map((surface) => ({
    version: surface.protocolVersion,
    pins: surfacePins(surface),
  }));
  for (const { version, pins } of measured)
    requireSameNames(
      version,
      tools.map(({ name }) => textOf(name)),
      pins.tools.map(({ name }) => printableName(name)),
    );
  const pinnedTools = tools.map((tool) => ({
    ...tool,
    pins: pinsOf(textOf(tool["name"]), measured),
  }));
  const server: JsonObject = Object.fromEntries(
    measured.map(({ version, pins: { instructions, capabilities, prompts, resources } }) => [
      version,
      { instructions, capabilities, prompts, resources },
    ]),
  );
  return {
    tools: pinnedTools,
    surface: {
      observedWith: { clientCapabilities },
      ...server,
    },
  };
}

type Measured = readonly {
  readonly version: string;
  readonly pins: ReturnType<typeof surfacePins>;
}[];

function pinsOf(name: string, measured: Measured): JsonObject {
  const perVersion = measured.map(({ version, pins }) => ({
    version,
    pins: pins.tools.find((tool) => tool.name === name)?.pins,
  }));
  const [first] = perVersion;
  for (const part of ["inputSchema", "description"] as const)
    if (perVersion.some(({ pins }) => pins?.[part] !== first?.pins?.[part]))
      throw new UsageError(
        `Tool ${name} shows another ${part} in another protocol version; an entry pins one.`,
      );
  if (!first?.pins) throw new UsageError(`Tool ${name} was not measured.`);
  return {
    inputSchema: first.pins.inputSchema,
    description: first.pins.description,
    definition: Object.fromEntries(
      perVersion.map(({ version, pins }) => [version, pins?.definition ?? ""]),
    ),
  };
}

function requireSameNames(
  version: string,
  known: readonly string[],
  live: readonly string[],
): void {
  const added = live.filter((name) => !known.includes(name));
  const gone = known.filter((name) => !live.includes(name));
  if (added.length > 0)
    throw new UsageError(
      `In ${version} the server shows tools the entry does not have: ${added.join(", ")}. Give each its riskClass and permissions in the entry first.`,
    );
  if (gone.length > 0)
    throw new UsageError(
      `In ${version} the server no longer shows ${gone.join(", ")}. Remove them from the entry first.`,
    );
}
