import type { FileFault, FileResult } from "@eve/mcp-guard/regular-file";
import {
  type RefusalCode,
  type RegistryResult,
  parseRegistry,
  refusal,
} from "@eve/registry-schema";

/** Reads the file, or says why there are no bytes. */
export type ReadBytes = () => FileResult;

const FAULT_CODES: Readonly<Record<FileFault, RefusalCode>> = {
  missing: "registry.missing",
  unreadable: "registry.unreadable",
  not_regular: "registry.unreadable",
  too_large: "registry.too_large",
};

/**
 * The registry beside the program, read afresh each time it is asked for; equal bytes are parsed once. That no older
 * one is followed is for the database to say: it remembers for all replicas.
 */
export function followRegistry(read: ReadBytes): () => RegistryResult {
  let last: { readonly bytes: Buffer; readonly result: RegistryResult } | undefined;
  return () => {
    const file = read();
    if ("fault" in file) return refused(file.fault);
    const bytes = Buffer.from(file.bytes);
    if (last === undefined || !bytes.equals(last.bytes))
      last = { bytes, result: parseRegistry(bytes) };
    return last.result;
  };
}

function refused(fault: FileFault): RegistryResult {
  const place = {
    subject: "registry.json",
    expected: "the registry file beside the program",
    actual: fault,
  };
  return { ok: false, refusals: [refusal(FAULT_CODES[fault], place)] };
}
