/** What a command may use of the world beside the file system; everything else is an argument. */
export interface Edge {
  readonly env: NodeJS.ProcessEnv;
  /** Epoch ms. */
  readonly now: () => number;
  /** Tells a person how far a long command is; never on stdout. */
  readonly progress: (line: string) => void;
}
