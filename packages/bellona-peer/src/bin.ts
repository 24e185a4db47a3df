#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { BellonaError, parseKeySet, serve } from "./index.ts";

/** Embedded by the bundle: the digest of the source tree that this file was made from. */
// oxlint-disable-next-line no-underscore-dangle -- no name of a program looks like one that a build puts in
declare const __EVE_SOURCE_SHA256__: string | undefined;

/** Configuration that cannot be served. */
const EXIT_CONFIG = 78;

const madeFrom =
  typeof __EVE_SOURCE_SHA256__ === "string" ? `, source ${__EVE_SOURCE_SHA256__}` : "";
const { BELLONA_RESOURCE, BELLONA_ISSUER, BELLONA_JWKS_FILE } = process.env;

try {
  if (!BELLONA_RESOURCE || !BELLONA_ISSUER || !BELLONA_JWKS_FILE) throw missing();
  const bellona = await serve({
    resource: BELLONA_RESOURCE,
    issuer: BELLONA_ISSUER,
    jwks: parseKeySet(readFileSync(BELLONA_JWKS_FILE)),
    now: Date.now,
  });
  const stop = (): void => {
    bellona.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  process.stderr.write(`bellona serves ${bellona.url}${madeFrom}\n`);
} catch (error) {
  const known = error instanceof BellonaError ? `${error.code}: ${error.message}` : String(error);
  process.stderr.write(`bellona: ${known}\n`);
  process.exit(EXIT_CONFIG);
}

function missing(): Error {
  return new Error("BELLONA_RESOURCE, BELLONA_ISSUER and BELLONA_JWKS_FILE are needed.");
}
