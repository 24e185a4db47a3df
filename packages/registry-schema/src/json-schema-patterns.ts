import { HIDDEN, PATH, RUNTIME_VARIABLE, TOOL_NAME, VISIBLE } from "./text.ts";

/** The inside of {@link HIDDEN}'s brackets. */
const hidden = HIDDEN.source.slice(1, -1);
/** What may not stand in the host of an origin: forbidden host code points (WHATWG URL), capitals, `*`. */
const notInHost = String.raw`\u0000- #%*/:<>?@A-Z\[\\\]^|\u007f-\u{10ffff}`;
const inherited = Object.getOwnPropertyNames(Object.prototype).toSorted().join("|");

const year = String.raw`(?:19[7-9]\d|[2-9]\d{3})`;
const leapYear = String.raw`(?:19(?:7[26]|8[048]|9[26])|[2-9]\d(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)`;
const day = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
const time = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z`;

/**
 * Patterns for JSON Schema (ECMA-262 with the flag u) of what the contract checks with code. `destination` and
 * `endpoint` take more than the contract does: no pattern knows how a URL is written canonically. The others take the same.
 */
export const PATTERNS = {
  containedPath: PATH.source,
  destination: `^(?:https://(?:[^${notInHost}]*[^.${notInHost}]|\\[[0-9a-f:]+\\])|http://(?:127\\.0\\.0\\.1|\\[::1\\]))(?::\\d{1,5})?$`,
  endpoint: String.raw`^https?://[^?#@\s]+$`,
  envName: `^(?!${RUNTIME_VARIABLE.source.slice(1)})[A-Z][A-Z0-9_]*$`,
  instant: `^(?:${year}-${day}|${leapYear}-02-29)${time}$`,
  readable: `^(?=.*${VISIBLE.source})[^${hidden}]+$`,
  toolName: `^(?!(?:${inherited})$)${TOOL_NAME.source.slice(1)}`,
  visibleWord: `^(?=.*\\S)[^${hidden}]+$`,
} as const;
