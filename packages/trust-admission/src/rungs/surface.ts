import { canonicalJson } from "@eve/canonical-json";
import type {
  EntryTool,
  ProtocolVersion,
  Refusal,
  RefusalCode,
  ServerPins,
} from "@eve/registry-schema";
import { annotationsFit } from "../annotations.ts";
import { member, type ToolPins } from "../pins.ts";
import { printableName, printableText } from "../printable.ts";
import { no, type Rung, type SurfaceCase } from "../rung.ts";
import { links } from "./links.ts";
import { schemas } from "./schemas.ts";
import { text } from "./text.ts";

const measured: Rung<SurfaceCase> = {
  name: "measured surface",
  judge: ({ entry, observation }) => {
    const { how } = observation.surface;
    return how === "measured"
      ? []
      : no(entry, "surface.unavailable", "surface", "measured", "told by somebody else");
  },
};

const toolSet: Rung<SurfaceCase> = {
  name: "tool set",
  judge: ({ entry, pins }) => {
    const live = pins.tools.map(({ name }) => printableName(name));
    const reviewed = entry.tools.map(({ name }) => name);
    const twice = live.filter((name, i) => live.indexOf(name) < i);
    const added = live.filter((name) => !reviewed.includes(name));
    const missing = reviewed.filter((name) => !live.includes(name));
    const isSame = added.length === 0 && missing.length === 0;
    return [
      ...(live.length === 0
        ? no(entry, "surface.empty", "tools", `${reviewed.length} tools`, "none")
        : []),
      ...twice.flatMap((name) =>
        no(entry, "surface.duplicate_tool", `tools.${name}`, "one tool of that name", "two"),
      ),
      ...(isSame
        ? []
        : no(
            entry,
            "surface.tool_set_drift",
            "tools",
            `${reviewed.length} tools`,
            `added: ${list(added)}; missing: ${list(missing)}`,
          )),
    ];
  },
};

const inputSchemas: Rung<SurfaceCase> = {
  name: "input schemas",
  judge: (on) =>
    compareTools(on, "surface.schema_drift", "inputSchema", ({ pins }) => pins.inputSchema),
};

const descriptions: Rung<SurfaceCase> = {
  name: "descriptions",
  judge: (on) =>
    compareTools(on, "surface.description_drift", "description", ({ pins }) => pins.description),
};

const definitions: Rung<SurfaceCase> = {
  name: "definitions",
  judge: (on) =>
    compareTools(
      on,
      "surface.definition_drift",
      "definition",
      ({ pins }) => pins.definition[versionOf(on)],
      `definition.${versionOf(on)}`,
    ),
};

const annotations: Rung<SurfaceCase> = {
  name: "annotations",
  judge: ({ entry, observation }) =>
    observation.surface.value.tools.flatMap((tool) => {
      const reviewed = entry.tools.find(({ name }) => name === member(tool, "name"));
      if (
        !reviewed ||
        annotationsFit(entry.origin, member(tool, "annotations"), reviewed.riskClass)
      )
        return [];
      return no(
        entry,
        "surface.annotation_mismatch",
        `tools.${reviewed.name}.annotations`,
        `annotations of class ${reviewed.riskClass}`,
        "other annotations",
      );
    }),
};

const instructions = serverRung("instructions", "surface.instructions_drift");
const capabilities = serverRung("capabilities", "surface.capability_drift");
const prompts = serverRung("prompts", "surface.prompt_drift");
const resources = serverRung("resources", "surface.resource_drift");

const client: Rung<SurfaceCase> = {
  name: "client",
  judge: ({ entry, observation }) => {
    const reviewed = canonicalJson(entry.surface.observedWith.clientCapabilities);
    const declared = canonicalJson(observation.client.capabilities);
    return reviewed === declared
      ? []
      : no(
          entry,
          "surface.client_mismatch",
          "surface.observedWith.clientCapabilities",
          printableText(reviewed),
          printableText(declared),
        );
  },
};

/** The rungs that compare the live surface with its pins, in order. */
export const SURFACE_RUNGS: readonly Rung<SurfaceCase>[] = [
  measured,
  toolSet,
  inputSchemas,
  descriptions,
  definitions,
  annotations,
  instructions,
  capabilities,
  prompts,
  resources,
  schemas,
  text,
  links,
  client,
];

/** A refusal names the place in the entry at which the pin was looked up. */
function compareTools(
  on: SurfaceCase,
  code: RefusalCode,
  part: keyof ToolPins,
  reviewed: (tool: EntryTool) => string | undefined,
  place: string = part,
): readonly Refusal[] {
  return on.pins.tools.flatMap(({ name, pins }) => {
    const tool = on.entry.tools.find((candidate) => candidate.name === name);
    if (!tool) return []; // the tool set rung has refused it
    const expected = reviewed(tool) ?? "no pin";
    return expected === pins[part]
      ? []
      : no(on.entry, code, `tools.${tool.name}.pins.${place}`, expected, pins[part]);
  });
}

function serverRung(part: keyof ServerPins, code: RefusalCode): Rung<SurfaceCase> {
  return {
    name: part,
    judge: (on) => {
      const version = versionOf(on);
      const expected = on.entry.surface[version]?.[part] ?? "no pin";
      return expected === on.pins[part]
        ? []
        : no(on.entry, code, `surface.${version}.${part}`, expected, on.pins[part]);
    },
  };
}

/** The protocol rung has refused any version that is not one of these. */
function versionOf({ observation }: SurfaceCase): ProtocolVersion {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the protocol rung has checked it
  return observation.surface.value.protocolVersion as ProtocolVersion;
}

function list(names: readonly string[]): string {
  return (
    names.slice(0, 20).join(", ") + (names.length > 20 ? ` and ${names.length - 20} more` : "") ||
    "none"
  );
}
