import { buildBellona, type BellonaOptions } from "./bellona.ts";

/** A Bellona that listens. */
export interface ServedBellona {
  /** The resource's URL. */
  readonly url: string;
  /** Ends open streams too. */
  close(): Promise<void>;
}

/** Serves Bellona at the host and port that its resource names (MUST-RS-13: on loopback where that is loopback). */
export async function serve(options: BellonaOptions): Promise<ServedBellona> {
  const app = await buildBellona(options);
  const { hostname, port, protocol } = new URL(options.resource);
  const ownPort = protocol === "https:" ? 443 : 80;
  await app.listen({
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: port === "" ? ownPort : Number(port),
  });
  return {
    url: options.resource,
    close: async () => {
      await app.close();
    },
  };
}
