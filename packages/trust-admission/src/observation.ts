import type { JsonObject } from "@eve/canonical-json";
import type { Surface } from "./surface.ts";

/** measured: computed here from the thing itself; attested: told by somebody else, such as a remote operator. */
export type Provenance = "measured" | "attested";

/** One part of an observation and how it was learnt. */
export interface Part<T> {
  readonly how: Provenance;
  readonly value: T;
}

/** How a server is launched or reached. `env` holds names only. */
export type TransportObservation =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly string[];
    }
  | { readonly type: "streamable-http"; readonly url: string };

/** What runs. Digests are 64 lower-case hexadecimal digits. */
export type SourceObservation =
  | {
      readonly origin: "first-party";
      readonly sha256: string;
      readonly artifacts: readonly { readonly path: string; readonly sha256: string }[];
    }
  | {
      readonly origin: "third-party";
      readonly package: string;
      readonly integrity: string;
      readonly sha256: string;
    };

/** What was measured of a server now. */
export interface Observation {
  /** The id under which the registry is asked. */
  readonly integration: string;
  readonly source: Part<SourceObservation>;
  readonly version: Part<string>;
  readonly transport: Part<TransportObservation>;
  /** What the observing client declared: a server may list more to a client that declares more. */
  readonly client: { readonly capabilities: JsonObject };
  /** Its `protocolVersion` is the one observed and the only one an admission will serve. */
  readonly surface: Part<Surface>;
}

/** What is known of a server before any client speaks to it. */
export type Standing = Omit<Observation, "surface" | "client">;
