import { writeFileSync } from "node:fs";
import { newSigningPair } from "../audit/signing-keys.ts";
import type { Io } from "./io.ts";
import { writeSecretFile } from "./secret-file.ts";

/** Makes the sealer's pair of keys: the secret in a new 0600 file, the public one beside whoever checks. */
export async function keygen(
  flags: { readonly key: string; readonly public: string },
  io: Io,
): Promise<number> {
  await writeSecretFile(flags.key, async () => {
    const { secret, shown } = newSigningPair();
    writeFileSync(flags.public, shown, { flag: "wx", mode: 0o644 });
    return secret.trimEnd();
  });
  const told = { event: "bff.audit_keys_made", key: flags.key, public: flags.public };
  io.stdout(`${JSON.stringify(told)}\n`);
  return 0;
}
