import type { JsonObject } from "@eve/canonical-json";
import { parseObject } from "./json-values.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const WAIT_MS = 2_000;
const MAX_BYTES = 65_536;

/** Where a protected resource's metadata are (RFC 9728, 3.1): the well-known part before its path. */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === "/" ? "" : pathname}`;
}

/** The metadata of a protected resource as strict JSON; undefined where there are none. Never rejects. */
export async function readMetadata(resource: string): Promise<JsonObject | undefined> {
  try {
    const response = await fetch(metadataUrlOf(resource), {
      redirect: "error",
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const bytes = await boundedBytes(response);
    return response.status === 200 && isJson && bytes ? parseObject(bytes) : undefined;
  } catch {
    return undefined;
  }
}

async function boundedBytes({ body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
