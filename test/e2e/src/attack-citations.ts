import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Which ids of hostile inputs the titles of the repository's tests cite, by id the files. */
export interface AttackCitations {
  /** How many test files were read. */
  readonly files: number;
  readonly cited: ReadonlyMap<string, readonly string[]>;
}

/** An id such as RB-01; not the end of a longer one, such as MUST-RS-01. */
const ID = /(?<![A-Z0-9-])[A-Z]{2}-\d{2}(?!\d)/g;
/** The test of this list itself feeds no input. */
const NAMES_IDS = "attack-bank.test.ts";
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Reads every test file below `root`. Ids in comments cite nothing: what counts is a title or a row of one. */
export function readAttackCitations(root: string): AttackCitations {
  const files = globSync("{packages,apps,registry,test}/{test,*/test,*/src/rows}/**/*.ts", {
    cwd: root,
  }).filter((file) => !file.endsWith(NAMES_IDS));
  const cited = new Map<string, readonly string[]>();
  for (const file of files.toSorted())
    for (const id of idsIn(readFileSync(join(root, file), "utf8").replaceAll(COMMENT, "")))
      cited.set(id, [...(cited.get(id) ?? []), file]);
  return { files: files.length, cited };
}

/** The ids of hostile inputs in a text, each once. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(ID), ([id]) => id))];
}
