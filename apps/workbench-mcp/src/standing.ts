import { basename } from "node:path";
import { sha256 } from "@eve/canonical-json";
import type { Standing } from "@eve/trust-admission";
import { INTEGRATION, TOKEN_VARIABLE, URL_VARIABLE, WORKBENCH_VERSION } from "./identity.ts";

/** What the program can see of itself. */
export interface SelfFacts {
  /** Digest that the build embedded; undefined when run from source. */
  readonly sourceSha256: string | undefined;
  /** The bytes of the running file. */
  readonly artifact: Uint8Array;
  readonly execPath: string;
  readonly argv: readonly string[];
}

/** Observes this program before a client speaks: source, artifact, version and its own transport, all measured. */
export function observeSelf({ sourceSha256, artifact, execPath, argv }: SelfFacts): Standing {
  const [, script = "", ...rest] = argv;
  return {
    integration: INTEGRATION,
    source: {
      how: "measured",
      value: {
        origin: "first-party",
        sha256: sourceSha256 ?? "unbundled",
        artifacts: [{ path: "dist/main.js", sha256: sha256(artifact) }],
      },
    },
    version: { how: "measured", value: WORKBENCH_VERSION },
    transport: {
      how: "measured",
      value: {
        type: "stdio",
        command: basename(execPath).replace(/\.exe$/i, ""),
        args: [basename(script), ...rest],
        env: [URL_VARIABLE, TOKEN_VARIABLE],
      },
    },
  };
}
