/** Lower-case id of an entry, a team, a gate or a credential. */
export const ID: RegExp = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** What the contract allows as a tool's name (MCP 2025-11-25, tool names). */
export const TOOL_NAME: RegExp = /^[A-Za-z0-9_.-]{1,128}$/;

/** Characters that nobody sees, or that change how others are seen. */
export const HIDDEN: RegExp = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
export const VISIBLE: RegExp = /[\p{L}\p{N}]/u;

/** Whether people can read all of `text`: no control, invisible, bidi or unassigned character, and a letter or digit. */
export function isReadable(text: string): boolean {
  return !HIDDEN.test(text) && VISIBLE.test(text);
}

/** Whether a command-line word can be seen whole: nothing hidden in it, and not blank. */
export function isVisibleWord(word: string): boolean {
  return !HIDDEN.test(word) && /\S/.test(word);
}

/** Whether `name` may name a tool: the allowed characters, and no member that every object inherits. */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name) && !(name in Object.prototype);
}

/**
 * What ids and tool names can spell alike: UTS #39 takes 0 and O, 1 and I and l, m and rn for one; beside them i and l,
 * 5 and s, w and vv, which one case or a small font makes alike.
 */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  i: "l",
  "5": "s",
  m: "rn",
  w: "vv",
};

/**
 * The form under which two names count as too alike: one normal form (NFKC), one case, no separators, look-alike letters
 * made equal.
 */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[-_.]/g, "")
    .replace(/[01i5mw]/g, (letter) => LOOK_ALIKE[letter] ?? letter);
}

/** The pairs of names in a list that fold to one form; equal names are not pairs. */
export function collidingNames(names: readonly string[]): readonly (readonly [string, string])[] {
  const seen = new Map<string, string>();
  const pairs: (readonly [string, string])[] = [];
  for (const name of names) {
    const folded = foldName(name);
    const earlier = seen.get(folded);
    if (earlier !== undefined && earlier !== name) pairs.push([earlier, name]);
    else seen.set(folded, name);
  }
  return pairs;
}

/** The positions in a list whose value an earlier position has. */
export function repeatedAt(values: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return values.flatMap((value, i) => (seen.size < seen.add(value).size ? [] : [i]));
}

/** A relative path of plain characters without `.` or `..` parts. */
export const PATH: RegExp =
  /^[A-Za-z0-9@_+-][A-Za-z0-9@._+-]*(\/[A-Za-z0-9@_+-][A-Za-z0-9@._+-]*)*$/;

/** Whether `path` stays inside its root: relative, forward slashes, plain characters, no `.` or `..` part. */
export function isContainedPath(path: string): boolean {
  return path.length <= 512 && PATH.test(path);
}

/** Whether `text` equals `new URL(text).origin` byte for byte: https, or http for literal loopback. */
export function isDestination(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.origin !== text || text.includes("*") || url.hostname.endsWith(".")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackOrigin(text));
}

/** Whether an origin's host is literally 127.0.0.1 or [::1]; a name such as localhost is not. */
export function isLoopbackOrigin(origin: string): boolean {
  return ["127.0.0.1", "[::1]"].includes(new URL(origin).hostname);
}

const LOCAL_HOST =
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|169\.254\.\d+\.\d+|\[::1?\]|\[::ffff:.*\]|\[fe[89ab].*\])$/;

/** Whether an origin means this machine or its link, however it is written: what `production` may not name. */
export function isLocalOrigin(origin: string): boolean {
  return LOCAL_HOST.test(new URL(origin).hostname);
}

/** Names that no part of an entry may have; in capitals, as its variables are. */
export const RUNTIME_VARIABLE: RegExp =
  /^(NODE_.*|LD_.*|DYLD_.*|OPENSSL_.*|SSL_.*|.*_PROXY|PATH|PATHEXT|COMSPEC|IFS|BASH_ENV|ENV|PYTHON.*|RUBYOPT|PERL5.*|JAVA_TOOL_OPTIONS)$/i;

/** Whether a variable steers how programs are found, loaded or connected: with it, the reviewed artifact is not what runs. */
export function isRuntimeVariable(name: string): boolean {
  return RUNTIME_VARIABLE.test(name);
}
