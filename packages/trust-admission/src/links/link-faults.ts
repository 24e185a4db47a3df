import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import type { Surface } from "../surface.ts";
import { escapePointer } from "../text/hidden-text.ts";
import { surfaceParts } from "../text/surface-parts.ts";
import { isPlainHttps, isPlainImageData, isPlainImageType, runnableScheme } from "./addresses.ts";

/** An icon or a link that no client should be handed. */
export interface LinkFault {
  readonly code: Extract<RefusalCode, "surface.icon_unsafe" | "surface.link_unsafe">;
  /** RFC 6901 pointer; items of a list are named by their name or URI. */
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

/** Members whose text is an address: `uri`, `uriTemplate`, `url`, `websiteUrl`, `href`, `src`, and what ends as these do. */
const ADDRESS = /(?:ur[il](?:template)?|href|src|link)$/i;
/** Their members are names of properties, and their texts values for a tool: what is sent there no client opens. */
const SCHEMAS: ReadonlySet<string> = new Set(["inputSchema", "outputSchema"]);
/** Its members are names of capabilities, and none of them is a list of icons. */
const CAPABILITIES = "/capabilities";

/**
 * Finds the icons and links of a surface that a client must not show or follow. An icon (MCP, Icons) is an https
 * address without credentials, or base64 of a PNG, JPEG, GIF or WebP image: `surface.icon_unsafe`. Any other address may
 * have a scheme of the server's own, but none that a client runs: `surface.link_unsafe`. Nothing is fetched.
 */
export function* linkFaults(surface: Surface): Generator<LinkFault> {
  for (const { field, value } of surfaceParts(surface)) {
    if (!isJsonObject(value)) continue;
    for (const [name, member] of members(value)) {
      const place = `${field}/${escapePointer(name)}`;
      if (name === "icons" && field !== CAPABILITIES) yield* iconsFaults(member, place);
      else if (!SCHEMAS.has(name)) yield* look(name, member, place);
    }
  }
}

function iconsFaults(icons: JsonValue, field: string): readonly LinkFault[] {
  if (!isJsonArray(icons)) return [iconFault(field, "a list of icons", "something else")];
  return icons.flatMap((icon, at) => {
    const place = `${field}/${at}`;
    if (!isJsonObject(icon)) return [iconFault(place, "an icon", "something else")];
    const { src, mimeType } = icon;
    return [...sourceFaults(src, `${place}/src`), ...typeFaults(mimeType, `${place}/mimeType`)];
  });
}

function sourceFaults(src: JsonValue | undefined, field: string): readonly LinkFault[] {
  const isPlain = typeof src === "string" && (isPlainHttps(src) || isPlainImageData(src));
  return isPlain
    ? []
    : [iconFault(field, "https, or base64 of a PNG, JPEG, GIF or WebP", "another address")];
}

function typeFaults(type: JsonValue | undefined, field: string): readonly LinkFault[] {
  if (type === undefined || (typeof type === "string" && isPlainImageType(type))) return [];
  return [iconFault(field, "image/png, image/jpeg, image/gif or image/webp", "another type")];
}

function iconFault(field: string, expected: string, actual: string): LinkFault {
  return { code: "surface.icon_unsafe", field, expected, actual };
}

/** The fault of an address, or of all the addresses below `value`. */
function* look(name: string, value: JsonValue, field: string): Generator<LinkFault> {
  if (typeof value === "string") {
    const scheme = ADDRESS.test(name) ? runnableScheme(value) : undefined;
    if (scheme === undefined || isPlainImageData(value)) return;
    const expected = "an address that no client runs";
    yield { code: "surface.link_unsafe", field, expected, actual: `scheme ${scheme}` };
  } else if (isJsonArray(value)) {
    // An item is of the list's own name: `urls: ["…"]` is a list of addresses.
    const one = name.replace(/s$/i, "");
    for (const [at, item] of value.entries()) yield* look(one, item, `${field}/${at}`);
  } else if (isJsonObject(value)) {
    for (const [inner, member] of members(value))
      yield* look(inner, member, `${field}/${escapePointer(inner)}`);
  }
}

function members(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value);
}
