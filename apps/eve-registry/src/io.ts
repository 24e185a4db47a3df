import type { Edge } from "./edge.ts";

/** What the program may use of the world; everything else is an argument. */
export interface Io extends Edge {
  /** Absolute; relative paths on the command line start from it. */
  readonly cwd: string;
  readonly version: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Asks a person one line; undefined where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}
