import type { MemberNames } from "./member-names.ts";
import { skipSpace } from "./scan-space.ts";
import { scanString } from "./scan-string.ts";
import { type Scan, STOPPED, stop } from "./scan.ts";

const QUOTE = 0x22;
const COLON = 0x3a;

/** Scans a member's name and its colon, to the index of the member's value. */
export function scanName(scan: Scan, names: MemberNames, from: number): number {
  const { bytes, text, shift } = scan;
  if (bytes[from] !== QUOTE)
    return stop(scan, "unparseable", from, "A name in double quotes was expected here.");
  const end = scanString(scan, from);
  if (end === STOPPED) return STOPPED;
  const spelled = text.slice(from + 1 - shift, end - 1 - scan.shift);
  const name = scan.escaped ? unescape(spelled) : spelled;
  if (isUnsafe(name, scan.registry))
    return stop(scan, "unsafe_key", from, "A name that can reach a prototype is not used here.");
  if (!names.add(name))
    return stop(scan, "duplicate_key", from, "A name is used once in an object.");
  const colon = skipSpace(bytes, end);
  if (bytes[colon] !== COLON)
    return stop(scan, "unparseable", colon, "A colon was expected after the name.");
  return skipSpace(bytes, colon + 1);
}

/** The name that is spelled with escapes; the scan has checked them, so this does not throw. */
function unescape(spelled: string): string {
  return String(JSON.parse(`"${spelled}"`));
}

function isUnsafe(name: string, registry: boolean): boolean {
  return name === "__proto__" || (registry && (name === "constructor" || name === "prototype"));
}
