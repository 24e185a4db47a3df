import { MAX_DEPTH } from "./max-depth.ts";
import { isNewName, skimName } from "./skim-names.ts";
import { skimNumber, skimString, UNSURE } from "./skim-tokens.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const ARRAY_OPENS = 0x5b;
const OBJECT_OPENS = 0x7b;

/** In place of the slot at which an object's names begin: the container is an array. */
const ARRAY = -1;

/** The rules that a skim is told; they are those of the exact scan. */
export interface SkimRules {
  readonly maxDepth: number;
  readonly maxValues: number;
  readonly registry: boolean;
}

/** What a skim knows where it stands. */
interface Skim extends SkimRules {
  readonly bytes: Uint8Array;
  /** Containers that are open. */
  depth: number;
  /** The slot at which the names of the innermost container begin, or {@link ARRAY}. */
  begin: number;
  /** The slot after the last name of the open objects. */
  names: number;
  /** Whether a string that comes next is a name. */
  isName: boolean;
  /** No fewer values than the document has: each comma and each container may bring one. */
  values: number;
}

/** 1 for each byte that says nothing to a skim: white space, a colon, the letters of words, what only the grammar refuses. */
const SILENT: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"{}[],-0123456789'.includes(String.fromCharCode(byte)) ? 0 : 1,
);

/** For each open container, what `begin` was outside it. */
const begins = new Int32Array(MAX_DEPTH);

/**
 * Whether bytes that the native parser reads as JSON surely keep the rules. It leaves the grammar to that parser, so
 * its yes counts only together with the parser's; its bounds hold for any bytes. What it cannot be sure of at full speed
 * (a name with an escape or with a hash seen before, an escaped surrogate, a number of many digits) is a no, which
 * refuses nothing: the exact scan then judges the whole document.
 */
export function skim(bytes: Uint8Array, { maxDepth, maxValues, registry }: SkimRules): boolean {
  const state: Skim = {
    bytes,
    maxDepth: Math.min(maxDepth, MAX_DEPTH),
    maxValues,
    registry,
    depth: 0,
    begin: ARRAY,
    names: 0,
    isName: false,
    values: 1,
  };
  let at = 0;
  while (at !== UNSURE && at < bytes.length) {
    at = SILENT[bytes[at] ?? 0] === 1 ? at + 1 : skimToken(state, at);
  }
  return at !== UNSURE && state.values <= maxValues;
}

/** The index after the token that begins at `at`, which is not silent. */
function skimToken(state: Skim, at: number): number {
  const byte = state.bytes[at] ?? 0;
  if (byte === QUOTE) {
    return state.isName ? skimMember(state, at) : skimString(state.bytes, at + 1, state.registry);
  }
  if (byte === COMMA) {
    state.values++;
    state.isName = state.begin !== ARRAY;
    return at + 1;
  }
  if (byte === MINUS || (byte >= DIGIT_0 && byte <= DIGIT_9)) {
    return skimNumber(state.bytes, at, state.registry);
  }
  const isObject = byte === OBJECT_OPENS;
  // What else is not silent ends a container.
  const isSure = isObject || byte === ARRAY_OPENS ? opens(state, isObject) : closes(state);
  return isSure ? at + 1 : UNSURE;
}

function skimMember(state: Skim, at: number): number {
  const next = skimName(state.bytes, at + 1, state.names);
  if (next === UNSURE || !isNewName(state.begin, state.names, state.registry)) return UNSURE;
  state.names++;
  state.isName = false;
  return next;
}

function opens(state: Skim, isObject: boolean): boolean {
  if (!(state.depth < state.maxDepth)) return false;
  begins[state.depth++] = state.begin;
  state.begin = isObject ? state.names : ARRAY;
  state.isName = isObject;
  state.values++;
  return true;
}

function closes(state: Skim): boolean {
  if (state.depth === 0) return false;
  if (state.begin !== ARRAY) state.names = state.begin;
  state.begin = begins[--state.depth] ?? ARRAY;
  state.isName = false;
  return true;
}
