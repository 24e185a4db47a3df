import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";

/**
 * How many subschemas a schema has once each reference is put in its place, or why that does not end: a cycle, a
 * reference that leads nowhere, or more than `limit`. `subschemas` are all of it by their pointers.
 */
export function expandedSize(
  subschemas: ReadonlyMap<string, JsonObject>,
  root: JsonValue,
  limit: number,
): number | string {
  const inside = childrenOf(subschemas);
  const anchors = anchorsOf(subschemas);
  const sizes = new Map<string, number>();
  const open = new Set<string>();

  const sizeOf = (pointer: string): number | string => {
    const known = sizes.get(pointer);
    if (known !== undefined) return known;
    if (open.has(pointer)) return "a cycle";
    open.add(pointer);
    const target = targetOf(subschemas.get(pointer), subschemas, anchors, root);
    if (target === "nowhere") return "a reference that leads nowhere";
    let size = 1;
    for (const next of [
      ...(inside.get(pointer) ?? []),
      ...(target === undefined ? [] : [target]),
    ]) {
      const inner = sizeOf(next);
      if (typeof inner === "string") return inner;
      size += inner;
      if (size > limit) return `more than ${limit} subschemas in the end`;
    }
    open.delete(pointer);
    sizes.set(pointer, size);
    return size;
  };
  return subschemas.has("") ? sizeOf("") : 0;
}

/** The subschemas that lie in each subschema, and in none between. */
function childrenOf(
  subschemas: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const pointer of subschemas.keys()) {
    if (pointer === "") continue;
    let parent = pointer.slice(0, pointer.lastIndexOf("/"));
    // The root may be none of them: a list of schemas is no schema.
    while (parent !== "" && !subschemas.has(parent))
      parent = parent.slice(0, parent.lastIndexOf("/"));
    const list = children.get(parent);
    if (list) list.push(pointer);
    else children.set(parent, [pointer]);
  }
  return children;
}

/** Where the reference of a subschema leads: a pointer of another one, nowhere, or undefined where there is none. */
function targetOf(
  schema: JsonObject | undefined,
  subschemas: ReadonlyMap<string, JsonObject>,
  anchors: ReadonlyMap<string, string>,
  root: JsonValue,
): string | undefined {
  const reference = schema?.["$ref"];
  if (typeof reference !== "string") return undefined;
  const fragment = decode(reference.slice(1));
  if (fragment === undefined) return "nowhere";
  if (fragment === "" || fragment.startsWith("/")) {
    if (subschemas.has(fragment)) return fragment;
    return isThere(root, fragment) ? undefined : "nowhere"; // true and false are schemas too
  }
  return anchors.get(fragment) ?? "nowhere";
}

/** The names that subschemas give themselves (`$anchor`, and `$id` or `id` with a fragment alone), the first of each. */
function anchorsOf(subschemas: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  for (const [pointer, { $anchor, $id, id }] of subschemas)
    for (const name of [$anchor, fragmentOf($id), fragmentOf(id)])
      if (typeof name === "string" && !anchors.has(name)) anchors.set(name, pointer);
  return anchors;
}

function fragmentOf(id: JsonValue | undefined): string | undefined {
  return typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined;
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function isThere(root: JsonValue, pointer: string): boolean {
  let at: JsonValue | undefined = root;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name];
    else return false;
  }
  return typeof at === "boolean";
}
