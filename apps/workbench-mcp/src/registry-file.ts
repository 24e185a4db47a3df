import type { FileFault, FileResult } from "@eve/mcp-guard/regular-file";
import {
  type Refusal,
  type RefusalCode,
  type RegistryResult,
  parseRegistry,
  refusal,
} from "@eve/registry-schema";

/** Reads the file, or says why there are no bytes. */
export type ReadBytes = () => FileResult;

/** The registry an executable obeys: the file beside it, followed as it changes. */
export interface RegistryFile {
  /**
   * The file's state now, read afresh. Answers `registry.missing`, `registry.unreadable`, `registry.too_large`, what parseRegistry answers,
   * and `registry.rollback` for a lower sequence than any seen, or the same one with other bytes. A refusal is of this
   * moment: a file that is put right is followed again.
   */
  current(): RegistryResult;
}

/** Follows the file that `read` reads. Equal bytes are not parsed twice, so that asking before each call is cheap. */
export function followRegistry(read: ReadBytes): RegistryFile {
  let last: { readonly bytes: Uint8Array; readonly result: RegistryResult } | undefined;
  let highest: { readonly sequence: number; readonly sha256: string } | undefined;

  const judge = (bytes: Uint8Array): RegistryResult => {
    const result = parseRegistry(bytes);
    if (!result.ok) return result;
    const { sequence, sha256 } = result.registry;
    const older =
      highest !== undefined &&
      (sequence < highest.sequence || (sequence === highest.sequence && sha256 !== highest.sha256));
    if (older) return { ok: false, refusals: [rollback(sequence, highest?.sequence ?? 0)] };
    highest = { sequence, sha256 };
    return result;
  };

  const current = (): RegistryResult => {
    const bytes = readOrRefuse(read);
    if ("code" in bytes) return { ok: false, refusals: [bytes] };
    if (
      last === undefined ||
      !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).equals(last.bytes)
    )
      last = { bytes, result: judge(bytes) };
    return last.result;
  };
  return { current };
}

const FAULT_CODES: Readonly<Record<FileFault, RefusalCode>> = {
  missing: "registry.missing",
  unreadable: "registry.unreadable",
  not_regular: "registry.unreadable",
  too_large: "registry.too_large",
};

function readOrRefuse(read: ReadBytes): Uint8Array | Refusal {
  const result = read();
  if ("bytes" in result) return result.bytes;
  return refusal(FAULT_CODES[result.fault], {
    subject: "registry.json",
    expected: "the registry file beside the program",
    actual: result.fault,
  });
}

function rollback(found: number, seen: number): Refusal {
  const actual = found === seen ? "the same sequence with other content" : `sequence ${found}`;
  return refusal("registry.rollback", {
    subject: "sequence",
    expected: `at least ${seen}`,
    actual,
  });
}
