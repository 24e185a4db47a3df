import type { JsonObject } from "@eve/canonical-json";

/** How a client of one protocol version opens a connection and dresses its requests. */
export interface ProtocolEra {
  /** The method of the first request. */
  readonly opening: "initialize" | "server/discover";
  readonly openingParams: JsonObject;
  /** The opening answer's member that settles the version. */
  readonly settles: "protocolVersion" | "supportedVersions";
  /** The notification that ends the opening, if there is one. */
  readonly opened: string | undefined;
  /** What every later request carries. */
  readonly params: JsonObject;
  /** Whether an answer says by `resultType` if it is complete. */
  readonly hasResultType: boolean;
}

const MODERN: ReadonlySet<string> = new Set(["2026-07-28"]);
const CLIENT_INFO: JsonObject = Object.freeze({ name: "eve-observer", version: "1" });

/**
 * The era of a protocol version: 2026-07-28 opens with `server/discover` and carries version and capabilities in
 * `_meta` of each request; every other version opens with `initialize`.
 */
export function eraOf(protocolVersion: string, capabilities: JsonObject): ProtocolEra {
  return MODERN.has(protocolVersion)
    ? modernEra(protocolVersion, capabilities)
    : legacyEra(protocolVersion, capabilities);
}

function legacyEra(protocolVersion: string, capabilities: JsonObject): ProtocolEra {
  return {
    opening: "initialize",
    openingParams: { protocolVersion, capabilities, clientInfo: CLIENT_INFO },
    settles: "protocolVersion",
    opened: "notifications/initialized",
    params: {},
    hasResultType: false,
  };
}

function modernEra(protocolVersion: string, capabilities: JsonObject): ProtocolEra {
  const params: JsonObject = {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": protocolVersion,
      "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  };
  return {
    opening: "server/discover",
    openingParams: params,
    settles: "supportedVersions",
    opened: undefined,
    params,
    hasResultType: true,
  };
}
