#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { BellonaError, parseKeySet, serve } from "./index.ts";

/** Configuration that cannot be served. */
const EXIT_CONFIG = 78;

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
  process.stderr.write(`bellona serves ${bellona.url}\n`);
} catch (error) {
  const known = error instanceof BellonaError ? `${error.code}: ${error.message}` : String(error);
  process.stderr.write(`bellona: ${known}\n`);
  process.exit(EXIT_CONFIG);
}

function missing(): Error {
  return new Error("BELLONA_RESOURCE, BELLONA_ISSUER and BELLONA_JWKS_FILE are needed.");
}
