import { type Refusals, refusal } from "@eve/registry-schema";
import type { TransportObservation } from "@eve/trust-admission";
import { openHttpSession } from "./http-session.ts";
import { type HttpServer, isExactUrl } from "./http-server.ts";
import type { Walk } from "./list-pages.ts";
import type { SessionEvents, WireSession } from "./session.ts";
import { spawnRedacted } from "./spawn-redacted.ts";
import type { StdioLaunch } from "./stdio-child.ts";
import { openSession } from "./wire-session.ts";

/** What a connection is opened with. */
export interface ConnectionTerms extends Omit<Walk, "session">, SessionEvents {
  readonly integration: string;
  readonly protocolVersion: string;
  /** The transport that the registry was asked about; nothing else may be started or reached. */
  readonly transport: TransportObservation;
}

/** One connection to a server, and how it ends. */
export interface Connection {
  readonly session: WireSession;
  /** Closes the session and ends what was started for it. Never rejects. */
  end(): Promise<void>;
}

/** Opens a fresh connection, or answers why it may not (`transport.changed`). */
export type Connect = (terms: ConnectionTerms) => Connection | Refusals;

/** Starts a server on stdio for each connection, with no more of the environment than the observed transport names. */
export function connectStdio(launch: StdioLaunch): Connect {
  return (terms) => {
    const { transport } = terms;
    const admitted = transport.type === "stdio" ? transport.env : undefined;
    if (admitted === undefined) return changed(terms, "stdio", transport.type);
    const more = Object.keys(launch.env).filter((name) => !admitted.includes(name));
    if (more.length > 0)
      return changed(terms, `no environment but ${admitted.join(", ")}`, more.join(", "));
    const child = spawnRedacted(launch);
    const session = openSession(child.channel, terms.limits, terms.refuse, terms);
    // What it leaves behind may hold its stdout open: without it, the stream ends now.
    void child.exit.then(() => child.end());
    return {
      session,
      end: async () => {
        session.close();
        await child.end();
      },
    };
  };
}

/** Reaches a Streamable HTTP server at exactly the observed URL. */
export function connectHttp(server: HttpServer): Connect {
  return (terms) => {
    const { url, headers = {}, fetch: fetchLike = globalThis.fetch } = server;
    const { transport } = terms;
    const admitted = transport.type === "streamable-http" ? transport.url : undefined;
    if (admitted !== url || !isExactUrl(url))
      return changed(terms, admitted ?? "streamable-http", "another address");
    const peer = { url, headers, fetch: fetchLike };
    const session = openHttpSession(peer, terms.protocolVersion, terms, terms);
    return {
      session,
      end: async () => {
        session.close();
        await session.gone();
      },
    };
  };
}

function changed({ integration }: ConnectionTerms, expected: string, actual: string): Refusals {
  return [refusal("transport.changed", { integration, subject: "transport", expected, actual })];
}
