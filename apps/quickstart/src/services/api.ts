import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import { StepError } from "../step-error.ts";

/** An answer of the backend. */
interface ApiAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** The backend's HTTP API with one credential. */
export interface Api {
  readonly get: (path: string) => Promise<ApiAnswer>;
  readonly post: (path: string, body: JsonObject) => Promise<ApiAnswer>;
}

const TIMEOUT_MS = 30_000;

/** The API at an origin for the bearer of one credential. Rejects with StepError where the answer is no JSON object. */
export function createApi(origin: string, bearer: string): Api {
  const send = async (path: string, init: RequestInit): Promise<ApiAnswer> => {
    const response = await fetch(`${origin}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const parsed = parseJson(new Uint8Array(await response.arrayBuffer()));
    if (!parsed.ok || !isJsonObject(parsed.value))
      throw new StepError(`expected a JSON object from ${path}; found status ${response.status}`);
    return { status: response.status, body: parsed.value };
  };
  return {
    get: (path) => send(path, { method: "GET" }),
    post: (path, body) => send(path, { method: "POST", body: JSON.stringify(body) }),
  };
}
