import type { JsonObject } from "@eve/canonical-json";
import { createEventReader } from "./event-reader.ts";
import { parseRpcLine, type RpcMessage } from "./json-rpc.ts";
import type { ObservationLimits } from "./observation-limits.ts";
import type { MessageSink } from "./read-messages.ts";

/** The address that messages are posted to, what posts them, and what every post carries. */
export interface HttpPeer {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Such as `authorization`. Never shown in a refusal; the transport's own headers win over them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What reads response bodies: the sink of their messages, and the bytes that all of them together may have. */
export interface BodyReader {
  readonly limits: ObservationLimits;
  readonly sink: MessageSink;
  /** Counts bytes; false once there are too many. */
  spend(bytes: number): boolean;
  /** Whether nothing is to be read any more. */
  isOver(): boolean;
}

/** Statuses that carry a JSON-RPC error (MCP 2026-07-28, Streamable HTTP: 400 and, for an unknown method, 404). */
const ERROR_STATUSES: ReadonlySet<number> = new Set([400, 404]);

const CR = 0x0d;
const LF = 0x0a;

/** Posts one JSON-RPC message (MCP Streamable HTTP). A redirect is answered as it is, never followed. */
export function post(
  peer: HttpPeer,
  message: JsonObject,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const own = {
    ...headers,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  return peer.fetch(peer.url, {
    method: "POST",
    headers: headersOf(peer, own),
    body: JSON.stringify(message),
    redirect: "manual",
    cache: "no-store",
    credentials: "omit",
    signal,
  });
}

/** Asks for the stream of events that a server has beside its responses (MCP 2025-11-25, Streamable HTTP). */
export function getStream(
  peer: HttpPeer,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  return peer.fetch(peer.url, {
    method: "GET",
    headers: headersOf(peer, { ...headers, accept: "text/event-stream" }),
    redirect: "manual",
    cache: "no-store",
    credentials: "omit",
    signal,
  });
}

/** The peer's headers with ours in place of any of the same name. */
export function headersOf(peer: HttpPeer, own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(peer.headers);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
}

/** Why a response is no answer whatever its body says; undefined where the body is to be read. */
export function unusable(response: Response, url: string): string | undefined {
  const { status } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) return "a redirect";
  if (response.redirected || (response.url !== "" && response.url !== url))
    return "a redirect that was followed";
  return response.ok || ERROR_STATUSES.has(status) ? undefined : `HTTP status ${status}`;
}

/**
 * Reads the body of a response that is not {@link unusable}: one JSON-RPC message as `application/json`, any number
 * as `text/event-stream`, from their raw bytes. Stops the sink with `protocol.framing` at what is neither, with
 * `surface.too_large` at too many bytes, with `surface.unavailable` at an error status that carries no JSON-RPC error.
 */
export async function readBody(response: Response, reader: BodyReader): Promise<void> {
  const type = mediaType(response);
  if (!response.ok) await readError(response, type, reader);
  else if (response.status === 202) await notAnswered(response, reader);
  else if (type === "application/json") await readJson(response, reader);
  else if (type === "text/event-stream") await readEvents(response, reader);
  else {
    await letGo(response);
    misframed(reader, "another media type");
  }
}

/** Whether a response is a stream of events that may be read. */
export function isEventStream(response: Response): boolean {
  return response.ok && mediaType(response) === "text/event-stream";
}

function mediaType(response: Response): string | undefined {
  return response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
}

/** 202 takes a notification; to a request it is no answer. */
async function notAnswered(response: Response, { sink }: BodyReader): Promise<void> {
  await letGo(response);
  sink.stop("surface.unavailable", "an answer", "HTTP status 202");
}

/** Gives up a body that nobody reads, so that its connection is free. */
export async function letGo(response: Response): Promise<void> {
  try {
    await response.body?.cancel();
  } catch {
    // It is over already.
  }
}

async function readError(
  response: Response,
  type: string | undefined,
  reader: BodyReader,
): Promise<void> {
  const parsed =
    type === "application/json" ? await parsedBody(response, reader) : await letGo(response);
  if (reader.isOver()) return;
  if (parsed?.message !== undefined && parsed.message.kind === "error")
    reader.sink.message(parsed.message, parsed.bytes);
  else reader.sink.stop("surface.unavailable", "an answer", `HTTP status ${response.status}`);
}

async function readJson(response: Response, reader: BodyReader): Promise<void> {
  const parsed = await parsedBody(response, reader);
  if (parsed === undefined || reader.isOver()) return;
  if (parsed.message === undefined) misframed(reader, parsed.reason);
  else reader.sink.message(parsed.message, parsed.bytes);
}

type ParsedBody =
  | { readonly message: RpcMessage; readonly bytes: Uint8Array }
  | { readonly message: undefined; readonly reason: string };

async function parsedBody(response: Response, reader: BodyReader): Promise<ParsedBody | undefined> {
  const { maxLineBytes } = reader.limits;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(response, reader)) {
    length += chunk.length;
    if (length > maxLineBytes)
      return { message: undefined, reason: `body_too_long (at most ${maxLineBytes} bytes)` };
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(Buffer.concat(chunks));
  if (hasBareCr(bytes)) return { message: undefined, reason: "bare_cr" };
  const parsed = parseRpcLine(bytes, maxLineBytes);
  return parsed.ok
    ? { message: parsed.message, bytes }
    : { message: undefined, reason: parsed.reason };
}

async function readEvents(response: Response, reader: BodyReader): Promise<void> {
  const { maxLineBytes } = reader.limits;
  const events = createEventReader(maxLineBytes);
  for await (const chunk of chunksOf(response, reader)) {
    const batch = events.push(chunk);
    for (const bytes of batch.events) {
      if (reader.isOver()) return;
      const parsed = parseRpcLine(bytes, maxLineBytes);
      if (parsed.ok) reader.sink.message(parsed.message, bytes);
      else misframed(reader, parsed.reason);
    }
    if (batch.fault !== undefined)
      misframed(reader, `${batch.fault} (at most ${maxLineBytes} bytes)`);
  }
}

/** The chunks of a body until it ends or reading is over; leaving the loop cancels the body. */
async function* chunksOf(response: Response, reader: BodyReader): AsyncGenerator<Uint8Array> {
  for await (const chunk of response.body ?? []) {
    if (reader.isOver()) return;
    if (!reader.spend(chunk.length)) {
      const { maxTotalBytes } = reader.limits;
      reader.sink.stop("surface.too_large", `at most ${maxTotalBytes} bytes`, "more");
      return;
    }
    yield chunk;
  }
}

function misframed(reader: BodyReader, actual: string): void {
  reader.sink.stop("protocol.framing", "strict JSON-RPC as JSON or as server-sent events", actual);
}

/** Other parsers end a line at a CR, so they would read another message than this one. */
function hasBareCr(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1))
    if (bytes[at + 1] !== LF) return true;
  return false;
}
