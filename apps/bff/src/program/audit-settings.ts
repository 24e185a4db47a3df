import { statSync } from "node:fs";
import type { KeyObject } from "node:crypto";
import { platform } from "node:os";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { parsePublicKey, parseSigningKey } from "../audit/signing-keys.ts";
import { type Env, environmentId, invalid, missing, type Setting } from "./settings.ts";

const MAX_KEY_BYTES = 4096;
const OTHERS = 0o077;

/** EVE_BFF_AUDIT_CHECKPOINTS: the file of checkpoints; what it holds is for its reader to judge. */
export function checkpointsFile(env: Env): Setting<string> {
  const value = env["EVE_BFF_AUDIT_CHECKPOINTS"]?.trim() ?? "";
  return value === ""
    ? missing("EVE_BFF_AUDIT_CHECKPOINTS", "the path of the checkpoint file")
    : { value };
}

/** The sealer's secret key in the file that EVE_BFF_AUDIT_KEY_FILE names, which nobody else may read. */
export function signingKey(env: Env): Setting<KeyObject> {
  const expected = "the path of an Ed25519 secret key as `bff audit keygen` makes it, mode 0600";
  const path = env["EVE_BFF_AUDIT_KEY_FILE"]?.trim() ?? "";
  if (path === "") return missing("EVE_BFF_AUDIT_KEY_FILE", expected);
  const key = keyIn(path, "EVE_BFF_AUDIT_KEY_FILE", expected, parseSigningKey);
  return "value" in key && isOpenToOthers(path)
    ? invalid("EVE_BFF_AUDIT_KEY_FILE", expected, "a file that others may read")
    : key;
}

/** The key that checkpoints are checked with, in the file that EVE_BFF_AUDIT_PUBLIC_KEY names. */
export function publicKey(env: Env): Setting<KeyObject> {
  const expected = "the path of an Ed25519 public key as `bff audit keygen` makes it";
  const path = env["EVE_BFF_AUDIT_PUBLIC_KEY"]?.trim() ?? "";
  return path === ""
    ? missing("EVE_BFF_AUDIT_PUBLIC_KEY", expected)
    : keyIn(path, "EVE_BFF_AUDIT_PUBLIC_KEY", expected, parsePublicKey);
}

/** EVE_BFF_ENVIRONMENT, which a sealer must be told: it has no public origin to make it of. */
export function sealedEnvironment(env: Env): Setting<string> {
  const environment = environmentId(env, "");
  return "value" in environment && environment.value === ""
    ? missing("EVE_BFF_ENVIRONMENT", "the environment id that the service has")
    : environment;
}

function keyIn(
  path: string,
  name: string,
  expected: string,
  parse: (pem: Uint8Array) => KeyObject | undefined,
): Setting<KeyObject> {
  const file = readRegularFileSync(path, { maxBytes: MAX_KEY_BYTES, followsLinks: true });
  if ("fault" in file) return invalid(name, expected, `file ${file.fault}`);
  const value = parse(file.bytes);
  return value === undefined ? invalid(name, expected, "another content") : { value };
}

/** Windows has no such bits. */
function isOpenToOthers(path: string): boolean {
  return platform() !== "win32" && (statSync(path).mode & OTHERS) !== 0;
}
