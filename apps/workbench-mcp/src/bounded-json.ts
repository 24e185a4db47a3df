import { type JsonValue, parseJson } from "@eve/canonical-json";

/** Most bytes of a response that are read. */
export const MAX_RESPONSE_BYTES: number = 1024 * 1024;

/** A response that is JSON, whole, strict and within bounds. */
export interface JsonResponse {
  readonly status: number;
  readonly type: "application/json" | "application/problem+json";
  readonly value: JsonValue;
}

/**
 * Fetches one JSON response; `undefined` for everything else: no connection, a redirect, a time-out, another media
 * type, more than 1 MiB, or bytes that are not strict JSON. Never rejects, and says nothing of what was sent.
 */
export async function fetchJson(
  fetchLike: typeof fetch,
  url: string,
  init: RequestInit,
): Promise<JsonResponse | undefined> {
  try {
    const response = await fetchLike(url, {
      ...init,
      redirect: "error",
      cache: "no-store",
      credentials: "omit",
    });
    const type = mediaType(response.headers.get("content-type"));
    if (type === undefined) return await discard(response);
    const bytes = await readBounded(response);
    const parsed = bytes && parseJson(bytes);
    return parsed?.ok === true ? { status: response.status, type, value: parsed.value } : undefined;
  } catch {
    return undefined;
  }
}

function mediaType(header: string | null): JsonResponse["type"] | undefined {
  const type = header?.split(";")[0]?.trim().toLowerCase();
  return type === "application/json" || type === "application/problem+json" ? type : undefined;
}

async function discard(response: Response): Promise<undefined> {
  await response.body?.cancel();
  return undefined;
}

async function readBounded(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
