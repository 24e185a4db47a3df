import { type JsonValue, parseJson } from "@eve/canonical-json";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type * as z from "zod";
import { type Result, fail, succeed } from "../failure.ts";
import { placeOf } from "../issue-place.ts";

/** Most bytes of a request's body. */
const MAX_BODY_BYTES = 128 * 1024;
/** Deepest nesting of a request's body. */
const MAX_DEPTH = 16;

/** Takes JSON bodies as the bytes that came, and no other media type. */
export function takeRawJson(part: FastifyInstance): void {
  part.removeAllContentTypeParsers();
  part.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, body),
  );
}

/** The strictly read body of a request (DESIGN: Raw bytes), of exactly this shape; else `request.invalid` with the place. */
export function readBody<T>(request: FastifyRequest, shape: z.ZodType<T>): Result<T> {
  const { body } = request;
  if (!Buffer.isBuffer(body)) return fail("request.invalid", { detail: "a JSON body is missing" });
  const parsed = parseJson(body, { limits: { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_DEPTH } });
  if (parsed.ok) return readShape(parsed.value, shape);
  const { code, line, column } = parsed.fault;
  return fail("request.invalid", { detail: `${code} at line ${line}, column ${column}` });
}

function readShape<T>(value: JsonValue, shape: z.ZodType<T>): Result<T> {
  const result = shape.safeParse(value);
  return result.success
    ? succeed(result.data)
    : fail("request.invalid", { detail: placeOf(result.error) });
}
