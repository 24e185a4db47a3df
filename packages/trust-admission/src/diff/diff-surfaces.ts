import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { member } from "../pins.ts";
import type { Surface } from "../surface.ts";
import { escapePointer } from "../text/hidden-text.ts";
import { type Change, mostUrgentFirst } from "./change.ts";
import { change, diffLeaves, isEqual, type Maybe, textChange } from "./diff-json.ts";
import { diffTool } from "./diff-tool.ts";

/**
 * What differs between two surfaces, most urgent first: for people who review a change. It decides nothing, and equal
 * surfaces have no difference whatever their order. Never throws for values of strictly parsed JSON.
 */
export function diffSurfaces(before: Surface, after: Surface): readonly Change[] {
  return mostUrgentFirst([
    ...text("/instructions", before.instructions, after.instructions),
    ...diffLeaves(before.capabilities, after.capabilities, "/capabilities", "breaking"),
    ...diffTools(before.tools, after.tools),
    ...diffNamed("/prompts", "name", before.prompts, after.prompts),
    ...diffNamed("/resources", "uri", before.resources, after.resources),
    ...diffNamed(
      "/resourceTemplates",
      "uriTemplate",
      before.resourceTemplates,
      after.resourceTemplates,
    ),
  ]);
}

function text(field: string, before: Maybe, after: Maybe): readonly Change[] {
  return isEqual(before, after) ? [] : [textChange(field, before, after)];
}

function diffTools(before: readonly JsonObject[], after: readonly JsonObject[]): readonly Change[] {
  const field = "/tools";
  const [old, now] = [byName(before, "name"), byName(after, "name")];
  const removed = [...old].filter(([name]) => !now.has(name));
  const added = [...now].filter(([name]) => !old.has(name));
  const renamed = removed.flatMap(([from, tool]) => {
    const to = added.find(([, other]) => isEqual(withoutName(tool), withoutName(other)));
    return to === undefined ? [] : [{ from, to: to[0] }];
  });
  return [
    ...[...old].flatMap(([name, tool]) => {
      const same = now.get(name);
      return same === undefined ? [] : diffTool(tool, same, at(field, name));
    }),
    ...renamed.map(({ from, to }) => change("looks_renamed", at(field, from), from, to)),
    ...removed
      .filter(([name]) => !renamed.some(({ from }) => from === name))
      .map(([name, tool]) => change("breaking", at(field, name), tool, undefined)),
    ...added
      .filter(([name]) => !renamed.some(({ to }) => to === name))
      .map(([name, tool]) => change("loosened", at(field, name), undefined, tool)),
  ];
}

/** Prompts and resources: another list item by item, and a list that is new or gone as a whole. */
function diffNamed(
  field: string,
  by: string,
  before: readonly JsonObject[] | undefined,
  after: readonly JsonObject[] | undefined,
): readonly Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [change("loosened", field, undefined, [...(after ?? [])])];
  if (after === undefined) return [change("breaking", field, [...before], undefined)];
  const [old, now] = [byName(before, by), byName(after, by)];
  return [
    ...[...old].flatMap(([name, item]) => {
      const same = now.get(name);
      return same === undefined
        ? [change("breaking", at(field, name), item, undefined)]
        : diffItem(item, same, at(field, name));
    }),
    ...[...now]
      .filter(([name]) => !old.has(name))
      .map(([name, item]) => change("loosened", at(field, name), undefined, item)),
  ];
}

function diffItem(before: JsonObject, after: JsonObject, field: string): readonly Change[] {
  const words = ["title", "description"].flatMap((name) =>
    text(`${field}/${name}`, member(before, name), member(after, name)),
  );
  return [...words, ...diffLeaves(withoutWords(before), withoutWords(after), field, "breaking")];
}

/** By what names them; items of one name, or without one, by their place too, so that none is lost. */
function byName(items: readonly JsonObject[], by: string): ReadonlyMap<string, JsonObject> {
  const named = new Map<string, JsonObject>();
  for (const [place, item] of items.entries()) {
    const name = nameOf(member(item, by));
    named.set(name === "" || named.has(name) ? `${name}#${place}` : name, item);
  }
  return named;
}

function nameOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function withoutName(tool: JsonObject): JsonObject {
  const { name: _, ...rest } = tool;
  return rest;
}

function withoutWords(item: JsonObject): JsonObject {
  const { title: _title, description: _description, ...rest } = item;
  return rest;
}

function at(field: string, name: string): string {
  return `${field}/${escapePointer(name)}`;
}
