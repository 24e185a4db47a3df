import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";

/** What a schema says of one place in a value: the names it pins there, and what lies below. */
interface Shape {
  readonly names: ReadonlySet<string>;
  /** The folded form of each name. */
  readonly folded: ReadonlySet<string>;
  /** The place below a member; undefined where the schema names nothing there. */
  below(name: string): Shape | undefined;
  /** The place of the items of an array. */
  items(): Shape | undefined;
}

/** Keywords whose schemas speak of the same place. */
const ALL_HERE = ["allOf", "anyOf", "oneOf"] as const;
const ONE_HERE = ["if", "then", "else"] as const;
const ITEMS = ["items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"] as const;
const OTHER_MEMBERS = ["additionalProperties", "unevaluatedProperties"] as const;

const shapes = new WeakMap<JsonObject, Shape>();

/**
 * The first name in a value that a lax reader takes for a property of the schema and that is not it: another case,
 * other separators, another compatibility form (`ID`, `i_d`, `ｉｄ` for `id`). Undefined where there is none. The schema
 * is one that admission let pass: it refers only to itself, and its references end.
 */
export function foldedName(schema: JsonObject, value: JsonValue): string | undefined {
  const known = shapes.get(schema);
  const shape = known ?? shapeOf([schema], schema);
  if (known === undefined) shapes.set(schema, shape);
  return firstFolded(shape, value);
}

function firstFolded(shape: Shape | undefined, value: JsonValue): string | undefined {
  if (shape === undefined || typeof value !== "object" || value === null) return undefined;
  if (isJsonArray(value)) return firstOf(value, (item) => firstFolded(shape.items(), item));
  return firstOf(Object.keys(value), (name) => {
    const inner = value[name];
    if (!shape.names.has(name) && shape.folded.has(fold(name))) return name;
    return inner === undefined ? undefined : firstFolded(shape.below(name), inner);
  });
}

function firstOf<T>(
  items: readonly T[],
  find: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A name as the laxest reader compares it: compatibility form, one case, letters and digits alone. */
export function fold(name: string): string {
  // Upper case first: it joins what lower case alone keeps apart (ß and ss, ſ and s, ı and i).
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function shapeOf(schemas: readonly JsonObject[], root: JsonObject): Shape {
  const here = schemas.flatMap((schema) => samePlace(schema, root));
  const properties = here.flatMap((schema) => namedIn(schema["properties"]));
  const names = new Set(properties.map(([name]) => name));
  const open = here.flatMap((schema) => [
    ...namedIn(schema["patternProperties"]).map(([, inner]) => inner),
    ...OTHER_MEMBERS.flatMap((keyword) => schemasIn(schema[keyword])),
  ]);
  const below = new Map<string, Shape | undefined>();
  let items: Shape | undefined | null = null;
  return {
    names,
    folded: new Set([...names].map(fold).filter((folded) => folded !== "")),
    below(name) {
      const key = names.has(name) ? `=${name}` : "";
      if (!below.has(key)) {
        const own = properties.filter(([each]) => each === name).map(([, inner]) => inner);
        below.set(key, shapeOrNone([...own, ...open], root));
      }
      return below.get(key);
    },
    items() {
      if (items === null)
        items = shapeOrNone(
          here.flatMap((schema) => ITEMS.flatMap((keyword) => schemasIn(schema[keyword]))),
          root,
        );
      return items;
    },
  };
}

function shapeOrNone(schemas: readonly JsonObject[], root: JsonObject): Shape | undefined {
  return schemas.length === 0 ? undefined : shapeOf(schemas, root);
}

/** The schema and all that speak of the same place as it. */
function samePlace(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const target = typeof schema["$ref"] === "string" ? lookUp(schema["$ref"], root) : undefined;
  const inner = [
    ...ALL_HERE.flatMap((keyword) => schemasIn(schema[keyword])),
    ...ONE_HERE.flatMap((keyword) => schemasIn(schema[keyword])),
    ...["dependentSchemas", "dependencies"].flatMap((keyword) =>
      namedIn(schema[keyword]).map(([, dependent]) => dependent),
    ),
    ...(target === undefined ? [] : [target]),
  ];
  return [schema, ...inner.flatMap((each) => samePlace(each, root))];
}

function schemasIn(value: JsonValue | undefined): readonly JsonObject[] {
  const list = isJsonArray(value) ? value : [value];
  return list.filter((item) => isJsonObject(item));
}

function namedIn(value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isJsonObject(value)) return [];
  // A property whose schema is `true` is pinned by its name all the same.
  return Object.entries(value).flatMap(([name, schema]) =>
    isJsonArray(schema) ? [] : [[name, isJsonObject(schema) ? schema : {}] as const],
  );
}

/** The schema a reference within the root leads to: a pointer (RFC 6901) or an anchor. */
function lookUp(reference: string, root: JsonObject): JsonObject | undefined {
  const fragment = decodeURIComponent(reference.slice(1));
  if (fragment !== "" && !fragment.startsWith("/")) return anchored(fragment, root);
  let at: JsonValue | undefined = root;
  for (const segment of fragment.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isJsonArray(at)) at = at[Number(name)];
    else at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return isJsonObject(at) ? at : undefined;
}

function anchored(anchor: string, value: JsonValue): JsonObject | undefined {
  if (isJsonArray(value)) {
    for (const item of value) {
      const found = anchored(anchor, item);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  if (value["$anchor"] === anchor || [value["$id"], value["id"]].includes(`#${anchor}`))
    return value;
  return anchored(anchor, Object.values(value));
}
