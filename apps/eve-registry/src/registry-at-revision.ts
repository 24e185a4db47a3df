import { execFileSync } from "node:child_process";
import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import { inheritedEnvironment } from "@eve/mcp-guard";
import { assembleDocument } from "@eve/registry-schema";
import { UsageError } from "./usage-error.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MANIFEST = "registry.json";
const ENTRIES = "integrations";

/**
 * The registry of a folder as a revision of its git repository holds it: one raw document, which may be of an older
 * contract and is not judged. Throws UsageError where there is no git, no such revision, or no registry in it.
 */
export function registryAtRevision(
  folder: string,
  revision: string,
  caller: NodeJS.ProcessEnv,
): JsonObject {
  const git = (...args: readonly string[]): Buffer => runGit(folder, args, caller);
  const commit = git("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`)
    .toString()
    .trim();
  const names = git("ls-tree", "-r", "-z", "--name-only", commit, "--", MANIFEST, ENTRIES)
    .toString()
    .split("\0")
    .filter((name) => name.endsWith(".json"));
  if (!names.includes(MANIFEST))
    throw new UsageError(`${revision} holds no ${MANIFEST} in ${folder}: nothing to compare with.`);
  const read = (name: string): JsonObject => {
    const parsed = parseJson(git("show", `${commit}:./${name}`), { profile: "registry" });
    if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
    throw new UsageError(`${name} of ${revision} is no JSON object: nothing to compare with.`);
  };
  return assembleDocument(read(MANIFEST), names.filter((name) => name !== MANIFEST).map(read));
}

/** Runs git in a folder, in the repository that this folder lies in and no other. */
function runGit(folder: string, args: readonly string[], caller: NodeJS.ProcessEnv): Buffer {
  const elsewhere = Object.keys(caller).filter((name) => name.startsWith("GIT_"));
  try {
    return execFileSync("git", ["-C", folder, ...args], {
      env: inheritedEnvironment(caller, elsewhere),
      maxBuffer: MAX_BYTES,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (cause) {
    throw new UsageError(
      `git ${args[0] ?? ""} failed in ${folder}: is it in a git repository, and is the revision there? A shallow clone lacks older ones.`,
      { cause },
    );
  }
}
