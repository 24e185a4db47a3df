import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { JSONWebKeySet } from "jose";
import {
  type Grant,
  type SignatureAlgorithm,
  type TokenTerms,
  verifyAccessToken,
} from "./access-token.ts";
import { bodyCode, isAtPath, strangerCode } from "./admit-request.ts";
import { bearerOf } from "./bearer.ts";
import { BellonaError } from "./errors.ts";
import { fetchedKeys, type KeyFetcher, localKeys } from "./key-source.ts";
import { buildMcpServer } from "./mcp-server.ts";
import { metadataOf } from "./metadata.ts";
import { RATE_LIMITS, type RateLimits, rateLimitersOf } from "./rate-limits.ts";
import { MAX_BODY_BYTES, readMessage } from "./read-message.ts";
import { problemOf, type RefusedCode } from "./refused.ts";
import { isIssuer, parseResource, type ProtectedResource } from "./resource.ts";
import { isGranted, READ_SCOPE } from "./scopes.ts";
import { webRequestOf } from "./web-request.ts";

/** What Bellona is built from. */
export interface BellonaOptions {
  /** Its own URL, such as `http://127.0.0.1:4093/mcp`: the only audience of its tokens. */
  readonly resource: string;
  /** The only issuer of its tokens: an authorization server's identifier. */
  readonly issuer: string;
  /** The issuer's public keys, or what reads them. */
  readonly jwks: JSONWebKeySet | KeyFetcher;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** ES256 and RS256 where not said. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  /** Origins whose pages may call; only its own where not said. */
  readonly allowedOrigins?: readonly string[];
  readonly rateLimits?: Partial<RateLimits>;
  /** Gets the code of each refused request; never a token. */
  readonly onRefused?: (code: RefusedCode) => void;
}

const ALGORITHMS: readonly SignatureAlgorithm[] = ["ES256", "RS256"];
const EVERY_METHOD = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/**
 * Builds Bellona: a protected resource server (MCP 2026-07-28, Authorization; RFC 9728; RFC 6750) with one read-only
 * tool, in both protocol eras, without sessions. In order: rate by address, Host and Origin, exact path, bearer, rate
 * by subject, scope, method, media type, size, strict JSON. Throws {@link BellonaError} for options it cannot serve.
 */
export async function buildBellona(options: BellonaOptions): Promise<FastifyInstance> {
  const resource = parseResource(options.resource);
  if (!isIssuer(options.issuer))
    throw new BellonaError("config.issuer_invalid", "The issuer is no https URL.");
  const { now, issuer, jwks, onRefused = ignore } = options;
  const terms: TokenTerms = {
    audience: resource.identifier,
    issuer,
    now,
    algorithms: options.algorithms ?? ALGORITHMS,
    keys: typeof jwks === "function" ? fetchedKeys(jwks, now) : localKeys(jwks),
  };
  const allowedOrigins = options.allowedOrigins ?? [resource.origin];
  const mcp = createMcpHandler(buildMcpServer, { keepAliveMs: 0 });
  const app = bareApp();
  const limiters = await rateLimitersOf(app, { ...RATE_LIMITS, ...options.rateLimits });
  const grants = new WeakMap<FastifyRequest, Grant>();

  const refuse = (reply: FastifyReply, code: RefusedCode, waitSeconds?: number): FastifyReply => {
    onRefused(code);
    const { status, headers, body } = problemOf(code, resource);
    if (waitSeconds !== undefined) reply.header("retry-after", waitSeconds);
    // A body that is not wanted is not read either.
    if (status === 413) reply.header("connection", "close");
    return reply.code(status).headers(headers).send(JSON.stringify(body));
  };

  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    const wait = await limiters.byAddress(request);
    if (wait !== undefined) return refuse(reply, "request.rate_limited", wait);
    const code = strangerCode(request, resource, allowedOrigins);
    if (code !== undefined) return refuse(reply, code);
  });

  app.setNotFoundHandler((_, reply) => refuse(reply, "request.not_found"));
  app.setErrorHandler((error, _, reply) => refuse(reply, codeOf(error)));

  app.get(resource.metadataPath, async (request, reply) => {
    if (!isAtPath(request, resource.metadataPath)) return refuse(reply, "request.not_found");
    return reply
      .header("cache-control", "public, max-age=300")
      .type("application/json")
      .send(JSON.stringify(metadataOf(resource, issuer)));
  });

  /** Who calls, before a byte of the body is read. */
  const authenticate = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    if (!isAtPath(request, resource.path)) return refuse(reply, "request.not_found");
    const bearer = bearerOf(request.raw.rawHeaders, request.raw.url ?? "");
    if (!bearer.ok) return refuse(reply, bearer.code);
    const verified = await verifyAccessToken(bearer.token, terms);
    if (!verified.ok) return refuse(reply, verified.code);
    const { grant } = verified;
    const wait = await limiters.bySubject(request, grant);
    if (wait !== undefined) return refuse(reply, "request.rate_limited", wait);
    if (!isGranted(grant.scopes, READ_SCOPE)) return refuse(reply, "auth.scope_insufficient");
    if (request.method !== "POST") return refuse(reply, "request.method_not_allowed");
    const code = bodyCode(request);
    if (code !== undefined) return refuse(reply, code);
    grants.set(request, grant);
  };

  app.route({
    method: EVERY_METHOD,
    url: resource.path,
    exposeHeadRoute: false,
    onRequest: authenticate,
    handler: async (request, reply) => {
      const grant = grants.get(request);
      if (grant === undefined) return refuse(reply, "service.failed");
      const bytes = bytesOf(request.body);
      const read = readMessage(bytes);
      if (!read.ok)
        return reply
          .code(400)
          .type("application/json")
          .send(JSON.stringify({ jsonrpc: "2.0", id: null, error: read.error }));
      // The exchange ends with its client.
      const over = new AbortController();
      reply.raw.on("close", () => over.abort());
      reply.header("cache-control", "no-store");
      const web = webRequestOf(request, resource, bytes, over.signal);
      return reply.send(await answerOf(mcp, web, grant, resource, read.message));
    },
  });

  app.addHook("onClose", () => mcp.close());
  return app;
}

function answerOf(
  mcp: McpHttpHandler,
  request: Request,
  { clientId, scopes, expiresAt }: Grant,
  { metadataUrl }: ProtectedResource,
  parsedBody: unknown,
): Promise<Response> {
  return mcp.fetch(request, {
    // The bearer stays out: nothing behind this line could pass it on (MUST-RS-06).
    authInfo: {
      token: "",
      clientId,
      scopes: [...scopes],
      expiresAt,
      resourceMetadataUrl: metadataUrl,
    },
    parsedBody,
  });
}

/** A Fastify app that reads a body as bytes alone, and no more than it must. */
function bareApp(): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    requestTimeout: 15_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 30_000,
    trustProxy: false,
    exposeHeadRoutes: false,
    http: { maxHeaderSize: 16_384, insecureHTTPParser: false },
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false },
  });
  app.server.maxConnections = 512;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) =>
    done(null, body),
  );
  return app;
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array ? new Uint8Array(body) : new Uint8Array(0);
}

/** Fastify's own refusals by their codes; everything else is a fault of ours and says nothing. */
function codeOf(error: unknown): RefusedCode {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return "request.too_large";
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return "request.unsupported_media_type";
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH") return "auth.request_invalid";
  return "service.failed";
}

function ignore(): void {}
