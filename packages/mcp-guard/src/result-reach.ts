import type { JsonObject } from "@eve/canonical-json";
import type { Registry } from "@eve/registry-schema";
import type { Surface } from "@eve/trust-admission";
import { memberOf } from "./json-rpc.ts";

/** Where links in a server's results may lead. */
export interface ResultReach {
  readonly origins: ReadonlySet<string>;
  readonly schemes: ReadonlySet<string>;
}

const known = new WeakMap<Surface, ReadonlySet<string>>();

/** The destinations of the entry, and the schemes of the resources and templates that the admitted surface lists. */
export function resultReach(
  registry: Registry,
  integration: string,
  surface: Surface,
): ResultReach {
  const record = registry.integrations.get(integration);
  const destinations = record?.status === "complete" ? record.entry.destinations : [];
  return {
    origins: new Set(destinations.map(({ origin }) => origin)),
    schemes: known.get(surface) ?? remember(surface),
  };
}

function remember(surface: Surface): ReadonlySet<string> {
  const { resources = [], resourceTemplates = [] } = surface;
  const schemes = new Set([
    ...resources.flatMap((each) => schemeOf(each, "uri")),
    ...resourceTemplates.flatMap((each) => schemeOf(each, "uriTemplate")),
  ]);
  known.set(surface, schemes);
  return schemes;
}

function schemeOf(item: JsonObject, name: string): readonly string[] {
  const address = memberOf(item, name);
  const [, scheme] = (typeof address === "string" && /^([a-z][a-z0-9+.-]*):/i.exec(address)) || [];
  return scheme === undefined ? [] : [scheme.toLowerCase()];
}
