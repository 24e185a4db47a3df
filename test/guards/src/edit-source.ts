import type { Edit } from "./guard.ts";

/** The text of a file with its guard switched off. Throws where the piece is not there exactly once. */
export function switchOff(text: string, { file, is, off }: Edit): string {
  const parts = text.split(is);
  if (parts.length !== 2)
    throw new Error(
      `${file}: ${parts.length - 1} times in it, where once was expected: ${is}. The guard moved; say in test/guards/src/tables where it is now.`,
    );
  return parts.join(off);
}
