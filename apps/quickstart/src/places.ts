import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Where the services of a run listen, each an origin of literal loopback. */
export interface Places {
  readonly backend: string;
  readonly bellona: string;
  readonly authorization: string;
}

/**
 * The same ports at each start, so that what was pasted into a client stays right; where one is taken, a free one does
 * as well. 4093 is left to the reference peer, which is measured at the very port its entry names.
 */
const BACKEND_PORT = 4092;
const BELLONA_PORT = 4095;
const AUTHORIZATION_PORT = 4094;

/** Finds a port for each service. */
export async function findPlaces(): Promise<Places> {
  const ports = [BACKEND_PORT, BELLONA_PORT, AUTHORIZATION_PORT];
  const [backend = "", bellona = "", authorization = ""] = await Promise.all(ports.map(originAt));
  return { backend, bellona, authorization };
}

async function originAt(preferred: number): Promise<string> {
  const port = (await portOf(preferred)) ?? (await portOf(0));
  if (port === undefined) throw new Error("no TCP port is free on 127.0.0.1");
  return `http://127.0.0.1:${port}`;
}

/** The port, if it can be had now; with 0 any that can. */
async function portOf(wanted: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(wanted, "127.0.0.1");
    await once(server, "listening");
    return portHeld(server);
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

function portHeld(server: Server): number | undefined {
  const address = server.address();
  return address === null || typeof address === "string" ? undefined : address.port;
}
