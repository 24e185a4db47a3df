import { Buffer } from "node:buffer";
import { type KeyObject, sign, verify } from "node:crypto";
import { canonicalJson, parseJson } from "@eve/canonical-json";
import * as z from "zod";
import type { Position } from "./link.ts";

/** What a sealer signs: at this time the chain of this environment had this link at this place. */
export interface Checkpoint extends Position {
  readonly environment: string;
  /** By the sealer's clock; it decides nothing. */
  readonly at: string;
}

/** Why a line is no checkpoint of ours. */
export type CheckpointFault = "not_a_checkpoint" | "signature_invalid" | "other_environment";

/** Whose checkpoints are believed. */
export interface Trust {
  readonly key: KeyObject;
  readonly environment: string;
}

const MAX_LINE_BYTES = 1024;
const DOMAIN = "eve/audit-checkpoint/1\0";

const line = z.strictObject({
  at: z.iso.datetime({ precision: 3 }),
  environment: z.string().min(1).max(128),
  link: z.string().regex(/^[0-9a-f]{64}$/),
  seq: z.int().min(0),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});

/** The line of a checkpoint, without its end: canonical JSON with an Ed25519 signature (RFC 8032) over the rest. */
export function checkpointLine(checkpoint: Checkpoint, key: KeyObject): string {
  const said = wordsOf(checkpoint);
  const signature = sign(null, signedBytes(said), key).toString("base64url");
  return canonicalJson({ ...said, signature });
}

/** Reads a line; what is not signed by the trusted key for the trusted environment is a fault, and never throws. */
export function parseCheckpoint(
  text: Uint8Array,
  { key, environment }: Trust,
): Checkpoint | CheckpointFault {
  const json = parseJson(text, { limits: { maxBytes: MAX_LINE_BYTES, maxDepth: 1 } });
  const parsed = line.safeParse(json.ok ? json.value : undefined);
  if (!parsed.success) return "not_a_checkpoint";
  const { signature, ...said } = parsed.data;
  if (!verify(null, signedBytes(said), key, Buffer.from(signature, "base64url")))
    return "signature_invalid";
  if (said.environment !== environment) return "other_environment";
  return { ...said, link: Buffer.from(said.link, "hex") };
}

type Said = Readonly<Record<"at" | "environment" | "link", string>> & { readonly seq: number };

function wordsOf({ at, environment, link, seq }: Checkpoint): Said {
  return { at, environment, link: link.toString("hex"), seq };
}

function signedBytes({ at, environment, link, seq }: Said): Buffer {
  return Buffer.from(DOMAIN + canonicalJson({ at, environment, link, seq }));
}
