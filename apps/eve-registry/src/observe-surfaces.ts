import type { JsonObject } from "@eve/canonical-json";
import {
  type ObservedSurface,
  observeStdioServer,
  type RawAnswer,
  type StdioLaunch,
  type SurfaceRequest,
} from "@eve/mcp-guard";
import { isRefused, type Refusal, refusal, type Refusals } from "@eve/registry-schema";
import {
  judgeLinks,
  judgeSchemas,
  judgeText,
  printableName,
  type Surface,
  type TextException,
} from "@eve/trust-admission";

/** A surface and the exact lines it was read from. */
export interface MeasuredSurface {
  readonly surface: Surface;
  readonly raw: readonly RawAnswer[];
}

/** Observes one server, however it is reached. Never rejects. */
export type Observe = (request: SurfaceRequest) => Promise<ObservedSurface>;

/** Observes a stdio server in a process of its own each time. */
export function overStdio(launch: StdioLaunch): Observe {
  return (request) => observeStdioServer(launch, request);
}

/** Observes a server in each protocol version, one after the other. A name listed twice: `surface.duplicate_tool`. */
export async function observeSurfaces(
  integration: string,
  observe: Observe,
  protocolVersions: readonly string[],
  clientCapabilities: JsonObject,
): Promise<
  | { readonly ok: true; readonly measured: readonly MeasuredSurface[] }
  | { readonly ok: false; readonly refusals: Refusals }
> {
  const measured: MeasuredSurface[] = [];
  for (const protocolVersion of protocolVersions) {
    const observed = await observe({ integration, protocolVersion, clientCapabilities });
    if (!observed.ok) return observed;
    const refusals = namesListedTwice(integration, observed.surface);
    if (isRefused(refusals)) return { ok: false, refusals };
    measured.push(observed);
  }
  return { ok: true, measured };
}

/** A pin is found by its tool's name, so one name has one tool. */
function namesListedTwice(integration: string, { tools }: Surface): readonly Refusal[] {
  const names = tools.map(({ name }) => printableName(name));
  return names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [
          refusal("surface.duplicate_tool", {
            integration,
            subject: `tools.${name}`,
            expected: "one tool of that name",
            actual: "two",
          }),
        ],
  );
}

/**
 * Refuses surfaces that must not be pinned, though they can be looked at: the `schema.` codes, for text that hides
 * what no exception names `surface.text_unsafe`, and for icons and links `surface.icon_unsafe`, `surface.link_unsafe`.
 */
export function unpinnable(
  integration: string,
  measured: readonly MeasuredSurface[],
  textExceptions: readonly TextException[],
): readonly Refusal[] {
  return measured.flatMap(({ surface }) => [
    ...judgeSchemas(integration, surface),
    ...judgeText(integration, surface, textExceptions),
    ...judgeLinks(integration, surface),
  ]);
}

/** The raw lines of a surface as a file of evidence: one JSON-RPC answer a line. */
export function rawLines({ raw }: MeasuredSurface): Uint8Array {
  return Buffer.concat(raw.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
}
