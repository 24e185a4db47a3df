import { type Refusal, refusal } from "@eve/registry-schema";

/** What can make Node run other code, or trust other peers, than the reviewed artifact says. */
export interface RuntimeFacts {
  /** `process.execArgv`: Node's own options on the command line. */
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** Whether the file that runs is the script that Node was told to run, and no module of another. */
  readonly isMainScript: boolean;
}

/** The oldest Node that runs the built program (package.json, engines). */
const OLDEST_NODE: readonly [major: number, minor: number] = [22, 22];

/**
 * Variables that must be unset or empty: preloads, a cache of other code, another OpenSSL configuration, a proxy that
 * would see a credential that goes to a plain loopback destination, and files written outside the program's folder.
 */
const MUST_BE_EMPTY = [
  "NODE_OPTIONS",
  "NODE_COMPILE_CACHE",
  "OPENSSL_CONF",
  "NODE_USE_ENV_PROXY",
  "NODE_V8_COVERAGE",
  "NODE_REDIRECT_WARNINGS",
] as const;

/**
 * Refuses a runtime that can run other code behind a matching digest (DESIGN: Same commit). Answers `runtime.unsafe`
 * once a cause and never the value found. `LD_PRELOAD` is not judged: a launcher strips it.
 */
export function judgeRuntime({
  execArgv,
  env,
  nodeVersion,
  isMainScript,
}: RuntimeFacts): readonly Refusal[] {
  return [
    ...judgeVersion(nodeVersion),
    ...(isMainScript ? [] : [unsafe("script", "the program itself", "another script loads it")]),
    ...judgeOptions(execArgv),
    ...MUST_BE_EMPTY.flatMap((name) => judgeEmpty(name, env[name])),
    ...judgeTls(env["NODE_TLS_REJECT_UNAUTHORIZED"]),
  ];
}

function judgeVersion(version: string): readonly Refusal[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOld = !(major > oldestMajor || (major === oldestMajor && minor >= oldestMinor));
  return isOld ? [unsafe("node", `${OLDEST_NODE.join(".")} or later`, "an older version")] : [];
}

function judgeOptions(execArgv: readonly string[]): readonly Refusal[] {
  return execArgv.length === 0
    ? []
    : [unsafe("execArgv", "no Node options", `${execArgv.length} given`)];
}

function judgeEmpty(name: string, value: string | undefined): readonly Refusal[] {
  return value === undefined || value === "" ? [] : [unsafe(name, "not set", "set")];
}

/** Node switches certificate checks off for exactly the value 0. */
function judgeTls(value: string | undefined): readonly Refusal[] {
  return value === "0" ? [unsafe("NODE_TLS_REJECT_UNAUTHORIZED", "not 0", "0")] : [];
}

function unsafe(subject: string, expected: string, actual: string): Refusal {
  return refusal("runtime.unsafe", { subject, expected, actual });
}
