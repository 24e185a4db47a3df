import type { JsonObject } from "@eve/canonical-json";
import { GOOD_SOURCE } from "./entry.ts";
import { goodSurface, type KitSurface } from "./surface.ts";

/** One part of an observation, measured here or attested by somebody else. */
export interface KitPart<T> {
  readonly how: "measured" | "attested";
  readonly value: T;
}

export type KitSource =
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

export type KitTransport =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly string[];
    }
  | { readonly type: "streamable-http"; readonly url: string };

/** What a good observer measures of the server that `goodEntry` describes. */
export interface KitObservation {
  readonly integration: string;
  readonly source: KitPart<KitSource>;
  readonly version: KitPart<string>;
  readonly transport: KitPart<KitTransport>;
  readonly client: { readonly capabilities: JsonObject };
  readonly surface: KitPart<KitSurface>;
}

/** What a good observation may be told: as `goodEntry`. */
export interface ObservationOptions {
  readonly integration?: string;
  readonly origin?: "first-party" | "third-party";
  readonly transport?: "stdio" | "streamable-http";
  readonly surface?: KitSurface;
}

/** The observation that the entry of the same options admits, in one protocol version. */
export function goodObservation(version: string, options: ObservationOptions = {}): KitObservation {
  const { origin = "first-party", transport = "stdio", surface = goodSurface(version) } = options;
  const { integration = origin === "first-party" ? "notes" : "other-notes" } = options;
  const how = transport === "stdio" ? "measured" : "attested";
  return {
    integration,
    source: { how, value: sourceOf(origin) },
    version: { how, value: GOOD_SOURCE.version },
    transport: { how: "measured", value: transportOf(transport) },
    client: { capabilities: { roots: { listChanged: true } } },
    surface: { how: "measured", value: surface },
  };
}

function sourceOf(origin: "first-party" | "third-party"): KitSource {
  const { sha256, artifacts, package: name, integrity } = GOOD_SOURCE;
  return origin === "first-party"
    ? { origin, sha256, artifacts }
    : { origin, package: name, integrity, sha256 };
}

function transportOf(type: "stdio" | "streamable-http"): KitTransport {
  if (type === "streamable-http") return { type, url: "https://notes.eve.example/mcp" };
  return {
    type,
    command: "node",
    args: ["dist/main.js", "--quiet"],
    env: ["NOTES_TOKEN", "ARCHIVE_TOKEN", "NOTES_URL", "NOTES_PAGE"],
  };
}
