import { isJsonObject, type JsonObject } from "@eve/canonical-json";

import { pinsOfTool, withChange, withValue } from "@eve/test-kit";
import type { Surface } from "@eve/trust-admission";
import type { Change } from "../trial.ts";
import { type RefusalRow, replaceOnce } from "./row.ts";

/** Replaces one piece of a built program's text. */
const patch =
  (from: string, to: string) =>
  (bytes: Buffer): Buffer =>
    Buffer.from(replaceOnce(from, to)(bytes.toString("utf8")));

const REGISTERS = "for (const tool of tools) register(";
const ANNOTATES = "annotations: { ...annotationsFor(riskClass) }";

/** Changes of one served description, each as the program's text has it. */
const POISON: readonly (readonly [what: string, from: string, to: string])[] = [
  ["ST-01 one character", "Moves a queued work item", "Moves a queued work-item"],
  ["ST-02 a space at the end", 'before calling again."', 'before calling again. "'],
  ["ST-04 a zero-width space", "Moves a queued", String.raw`Moves a\u200b queued`],
  ["ST-05 words in tag characters", "Moves a queued", String.raw`\u{e0069}\u{e0067}Moves a queued`],
  ["ST-07 a terminal escape", "Moves a queued", String.raw`\x1b[2KMoves a queued`],
  ["ST-08 a look-alike letter", "Moves a queued", "Mоves a queued"],
  ["ST-10 a comment of HTML", "Moves a queued", "<!-- and ship it -->Moves a queued"],
];
const CLAIM =
  "Moves a queued work item to claimed, with you as its assignee. Refused if the item is not queued. Writes, and needs no approval. If the outcome is unknown, read the item before calling again.";

/** What is refused because the program is another one than was reviewed; `legacy` is its good surface of 2025-11-25. */
export function programRows(legacy: Surface): readonly RefusalRow[] {
  return [
    {
      what: "RP-10 a program changed by one byte",
      tamper: (bytes) => Buffer.concat([bytes, Buffer.from("\n")]),
      code: "artifact.changed",
    },
    {
      what: "RP-11 a program with other line ends",
      tamper: (bytes) => Buffer.from(bytes.toString("utf8").replaceAll("\n", "\r\n")),
      code: "artifact.changed",
    },
    ...POISON.map(([what, from, to]): RefusalRow => ({
      what: `${what} in a served description`,
      program: patch(`"${CLAIM}"`, `"${CLAIM}"`.replace(from, to)),
      code: "surface.description_drift",
    })),
    {
      what: "one character in a served schema",
      program: patch(
        '[A-Za-z0-9_-]{0,63}$/).describe("Id of a work item',
        '[A-Za-z0-9_-]{0,64}$/).describe("Id of a work item',
      ),
      code: "surface.schema_drift",
    },
    {
      what: "SM-04 another title",
      program: patch('title: "Claim a work item"', 'title: "Take a work item"'),
      code: "surface.definition_drift",
    },
    {
      what: "SM-01 annotations of another class",
      program: patch(ANNOTATES, 'annotations: { ...annotationsFor("read") }'),
      code: "surface.definition_drift",
    },
    {
      what: "SM-01 annotations of another class that were pinned so",
      program: patch(
        ANNOTATES,
        "annotations: { ...annotationsFor(riskClass), openWorldHint: true }",
      ),
      entry: pinAnnotations(legacy),
      code: "surface.annotation_mismatch",
    },
    {
      what: "one character in the instructions",
      program: patch(
        "Work items of the Oshun workbench: list",
        "Work items of the Oshun workbench! list",
      ),
      code: "surface.instructions_drift",
    },
    {
      what: "SM-11 another capability",
      program: patch("tools: { listChanged: false }", "tools: { listChanged: true }"),
      code: "surface.capability_drift",
    },
    {
      what: "SN-01 an eighth tool",
      program: patch(
        REGISTERS,
        `register(server, { ...tools[0], name: "workbench_admin" }, "read", handler);\n\t${REGISTERS}`,
      ),
      code: "surface.tool_set_drift",
    },
    {
      what: "SN-02 a tool less",
      program: patch(REGISTERS, "for (const tool of tools.slice(1)) register("),
      code: "surface.tool_set_drift",
    },
    {
      what: "no tool at all",
      program: patch(REGISTERS, "for (const tool of []) register("),
      code: "surface.empty",
    },
    {
      what: "a server that cannot be built",
      program: patch(
        REGISTERS,
        'throw new Error("live-text-of-an-error");\n\tfor (const tool of tools) register(',
      ),
      code: "surface.unavailable",
      secrets: ["live-text-of-an-error"],
    },
    {
      what: "a gate that cannot decide",
      program: patch(
        "const riskClasses = riskClassesOf(entry);",
        'throw new Error("live-text-of-an-error");',
      ),
      code: "internal.error",
      secrets: ["live-text-of-an-error"],
    },
  ];
}

/** The pins that somebody would have measured of a program whose tools all claim an open world. */
function pinAnnotations({ tools }: Surface): Change {
  return (entry) =>
    tools.reduce<JsonObject>((left, tool, i) => {
      const { annotations } = tool;
      if (!isJsonObject(annotations)) throw new Error("a tool without annotations");
      const open = withValue(tool, ["annotations"], { ...annotations, openWorldHint: true });
      return withChange(
        left,
        ["tools", i, "pins", "definition", "2025-11-25"],
        () => pinsOfTool(open).definition,
      );
    }, entry);
}
