import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "@eve/canonical-json";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type FirstPartyEntry, type ProtocolVersion } from "@eve/registry-schema";
import type { Check } from "./evidence-files.ts";
import { metadataUrlOf, readMetadata } from "./resource-metadata.ts";
import type { ServedProgram } from "./served-program.ts";
import { UsageError } from "./usage-error.ts";

const WAIT_MS = 10_000;

/**
 * What a client of a protected server relies on, tried on the wire: metadata (RFC 9728), the challenge that names them,
 * a right token that is enough for the official SDK client to list and call, and one for another audience that is
 * not. What throws has not passed; a call of a tool that is not of class read is not made: UsageError.
 */
export async function probeAccess(
  entry: FirstPartyEntry,
  served: ServedProgram,
): Promise<readonly Check[]> {
  const { tool } = served.protectedHttp.call;
  requireRead(entry, tool);
  return [
    await check("the metadata of the resource name it, its issuer and its scopes", () =>
      hasMetadata(entry, served),
    ),
    await check("a call without a token is refused with 401, naming the metadata", async () =>
      isChallenged(await post(served.url), served.url, undefined),
    ),
    await check("a token for another audience is refused on the wire", async () => {
      const scopes = scopesOf(entry);
      const wrong = await served.issuer.mint(`${served.url}-of-another`, scopes);
      return isChallenged(await post(served.url, wrong), served.url, "invalid_token");
    }),
    ...(await inTurn(entry.protocol.versions, (version) =>
      check(`the official client lists and calls ${tool} in ${version}`, () =>
        isServed(entry, served, version),
      ),
    )),
  ];
}

/** A probe runs often and asks nobody. */
function requireRead({ id, tools }: FirstPartyEntry, name: string): void {
  if (tools.find((tool) => tool.name === name)?.riskClass === "read") return;
  throw new UsageError(
    `${id}: a probe calls only a tool of class read, and ${name} is none. Name another in "protectedHttp": {"call": …}.`,
  );
}

async function check(title: string, run: () => Promise<boolean>): Promise<Check> {
  return { title, passed: await run().catch(() => false) };
}

async function hasMetadata(
  entry: FirstPartyEntry,
  { url, issuer }: ServedProgram,
): Promise<boolean> {
  const metadata = (await readMetadata(url)) ?? {};
  const supported = metadata["scopes_supported"];
  return (
    metadata["resource"] === url &&
    canonicalJson(metadata["authorization_servers"] ?? null) ===
      canonicalJson([issuer.identifier]) &&
    Array.isArray(supported) &&
    scopesOf(entry).every((scope) => supported.includes(scope))
  );
}

/** RFC 6750, 3 and RFC 9728, 5.1. No error is named where no token was sent. */
async function isChallenged(
  response: Response,
  url: string,
  error: string | undefined,
): Promise<boolean> {
  await response.body?.cancel();
  const challenge = response.headers.get("www-authenticate") ?? "";
  const named = /\berror="([^"]*)"/.exec(challenge)?.[1];
  return (
    response.status === 401 &&
    challenge.startsWith("Bearer ") &&
    challenge.includes(`resource_metadata="${metadataUrlOf(url)}"`) &&
    named === error
  );
}

/** Lists and calls through the SDK, in exactly this version. */
async function isServed(
  entry: FirstPartyEntry,
  { url, token, protectedHttp: { call } }: ServedProgram,
  version: ProtocolVersion,
): Promise<boolean> {
  const mode = version === "2026-07-28" ? { pin: version } : "legacy";
  const client = new Client(
    { name: "eve-registry", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` }, redirect: "error" },
  });
  const options = { timeout: WAIT_MS };
  try {
    await client.connect(transport, options);
    const { tools } = await client.listTools(undefined, options);
    const answer = await client.callTool(
      { name: call.tool, arguments: { ...call.arguments } },
      options,
    );
    return (
      client.getNegotiatedProtocolVersion() === version &&
      isDeepStrictEqual(
        tools.map(({ name }) => name).toSorted(),
        entry.tools.map(({ name }) => name).toSorted(),
      ) &&
      answer.isError !== true &&
      isDeepStrictEqual(answer.structuredContent, { ...call.answer })
    );
  } finally {
    await client.close();
  }
}

/** A listing of the legacy era: any request is judged by its bearer first. */
function post(url: string, token?: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(WAIT_MS),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
}

function scopesOf({ credentials }: FirstPartyEntry): readonly string[] {
  return credentials.flatMap(({ scopes }) => scopes);
}

async function inTurn<T, U>(items: readonly T[], each: (item: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (const item of items) done.push(await each(item));
  return done;
}
