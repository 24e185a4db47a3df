import { UNSURE } from "./skim-tokens.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Names of one object that are compared one by one; an object of more is left to the exact scan. */
const MAX_NAMES = 64;

/** The hashes of the names of all open objects, the innermost one's last. A skim calls nobody, so one list is enough. */
const hashes = new Int32Array(4096);

/**
 * The index after the name whose text begins at `from`, its hash put in the given slot of the list. Unsure of a name
 * with an escape, and of one name too many for the list.
 */
export function skimName(bytes: Uint8Array, from: number, slot: number): number {
  if (slot >= hashes.length) return UNSURE;
  let hash = 0;
  for (let at = from; ;) {
    const byte = bytes[at++];
    if (byte === QUOTE) {
      hashes[slot] = hash;
      return at;
    }
    if (byte === BACKSLASH || byte === undefined) return UNSURE;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
}

/**
 * Whether the name in the slot is surely not among those of its object, which begin at `begin`, and not an unsafe one:
 * equal names have equal hashes.
 */
export function isNewName(begin: number, slot: number, registry: boolean): boolean {
  const hash = hashes[slot];
  if (slot - begin >= MAX_NAMES || hash === PROTO) return false;
  if (registry && (hash === CONSTRUCTOR || hash === PROTOTYPE)) return false;
  for (let other = begin; other < slot; other++) if (hashes[other] === hash) return false;
  return true;
}

const PROTO = hashOf("__proto__");
const CONSTRUCTOR = hashOf("constructor");
const PROTOTYPE = hashOf("prototype");

function hashOf(name: string): number | undefined {
  skimName(new TextEncoder().encode(`${name}"`), 0, 0);
  return hashes[0];
}
