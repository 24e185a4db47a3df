/** What has to be ended when a run ends, last begun first. */
export interface Cleanup {
  readonly add: (end: () => Promise<unknown>) => void;
  /** Ends everything, whatever one of them says; a second call has nothing to do. Never rejects. */
  readonly run: () => Promise<void>;
}

/** A list of things to end. */
export function createCleanup(): Cleanup {
  const ends: (() => Promise<unknown>)[] = [];
  return {
    add: (end) => void ends.push(end),
    run: async () => {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await quietly(end);
    },
  };
}

async function quietly(end: () => Promise<unknown>): Promise<void> {
  try {
    await end();
  } catch {
    // It is over with it either way; the folder and the watchdog take what is left.
  }
}
