import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { isPlainImageData, runnableScheme } from "../links/addresses.ts";
import { member } from "../pins.ts";

/** Where the links of a result may lead. */
export interface ResultLinks {
  /** The entry's destinations. */
  readonly origins: ReadonlySet<string>;
  /** Schemes of the server's own, as its admitted resources and templates use them: lower case, without the colon. */
  readonly schemes: ReadonlySet<string>;
}

/** Schemes that lead off the server however they were reviewed: to the client's own files, or to another host. */
const NEVER_OWN: ReadonlySet<string> = new Set(["about", "file", "http", "https", "ws", "wss"]);

/** What URL parsers drop, so that two of them read two addresses. */
const DROPPED = /[\p{Cc}\p{Default_Ignorable_Code_Point}\\]/u;

/**
 * Whether a block of content links where the server may not send anybody: the address of a `resource_link` or of an
 * embedded resource, or an icon. An address is of a declared destination, without user and password, or has a reviewed
 * scheme of the server's own; an icon may be a plain image in base64 too.
 */
export function leadsAway(content: JsonValue | undefined, links: ResultLinks): boolean {
  if (!isJsonArray(content)) return false;
  return content.some((block) => isJsonObject(block) && blockLeadsAway(block, links));
}

function blockLeadsAway(block: JsonObject, links: ResultLinks): boolean {
  const resource = member(block, "resource");
  const places = isJsonObject(resource) ? [block, resource] : [block];
  return places.some(
    (place) =>
      isOutside(member(place, "uri"), links) ||
      iconsOf(place).some((src) => !isPlainImage(src) && isOutside(src, links)),
  );
}

function isPlainImage(src: JsonValue | undefined): boolean {
  return typeof src === "string" && isPlainImageData(src);
}

function iconsOf(place: JsonObject): readonly (JsonValue | undefined)[] {
  const icons = member(place, "icons");
  if (icons === undefined) return [];
  if (!isJsonArray(icons)) return [null];
  return icons.map((icon) => (isJsonObject(icon) ? (member(icon, "src") ?? null) : null));
}

/** Whether an address is there, and is none of these. */
function isOutside(address: JsonValue | undefined, { origins, schemes }: ResultLinks): boolean {
  if (address === undefined) return false;
  if (typeof address !== "string" || DROPPED.test(address)) return true;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined || runnableScheme(address) !== undefined) return true;
  if (!NEVER_OWN.has(scheme)) return !schemes.has(scheme);
  if (!URL.canParse(address)) return true;
  const { origin, username, password } = new URL(address);
  return !origins.has(origin) || `${username}${password}` !== "";
}
