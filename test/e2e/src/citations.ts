import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIREMENTS } from "./requirements.ts";

/** Which requirement ids the test files of the repository cite. */
export interface Citations {
  /** How many test files were read. */
  readonly files: number;
  readonly cited: ReadonlySet<string>;
  /** Cited ids that no requirement has, with the file. */
  readonly unknown: readonly string[];
  readonly uncited: readonly string[];
}

/** Reads every test file below `root` and holds its citations against the requirements. */
export function readCitations(root: string): Citations {
  const files = globSync("{packages,apps,registry,test}/{test,*/test,*/src/rows}/**/*.ts", {
    cwd: root,
  });
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/ADR-0092-\d{3}/g)].map(([id]) => ({
      id,
      file,
    })),
  );
  const known = new Set<string>(REQUIREMENTS.map(({ id }) => id));
  const cited = new Set(found.map(({ id }) => id));
  return {
    files: files.length,
    cited,
    unknown: found.filter(({ id }) => !known.has(id)).map(({ id, file }) => `${id} in ${file}`),
    uncited: REQUIREMENTS.flatMap(({ id, says }) => (cited.has(id) ? [] : [`${id} ${says}`])),
  };
}
