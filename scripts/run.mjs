// node scripts/run.mjs <command> [args…]: installs what the lockfile names, then runs the command on the pinned Node.
// Plain JavaScript for Node 20 or later, because it is the only file that runs before the dependencies exist.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const windows = process.platform === "win32";

/** A step whose output is shown only if it fails; its title is, so that a person knows what takes long. */
function quietly(title, ...command) {
  return Object.assign(command, { title });
}

const QUIET_BUILD = quietly("Building (a minute the first time)", "turbo", "run", "build");

/** A step after whose failure the next one tells what failed. */
function evenIfItFails(command) {
  return Object.assign(command, { mayFail: true });
}

/** What each root script runs, in order, once the install is done. Further arguments go to the last step. */
const commands = {
  start: [QUIET_BUILD, source("apps/quickstart/src/main.ts")],
  demo: [QUIET_BUILD, [...source("apps/quickstart/src/main.ts"), "--demo"]],
  test: [["turbo", "run", "typecheck", "test"]],
  // The properties of the registry contract and the races of approvals, a hundred times as many cases as `test` tries;
  // then each guard switched off, which the tests of the hostile inputs must notice.
  nightly: [
    withEnv({ EVE_PROPERTY_FACTOR: "100" }, [
      "turbo",
      "run",
      "test",
      "--filter=@eve/canonical-json",
      "--filter=@eve/registry-schema",
      "--filter=@eve/consent-binding",
      "--filter=@eve/bff",
    ]),
    source("test/guards/src/main.ts"),
  ],
  build: [["turbo", "run", "build"]],
  bench: [
    QUIET_BUILD,
    source("packages/canonical-json/bench/parse.bench.ts"),
    source("packages/registry-schema/bench/scale.bench.ts"),
    source("packages/trust-admission/bench/call.bench.ts"),
    source("packages/trust-admission/bench/pins.bench.ts"),
    source("apps/bff/bench/execute.bench.ts"),
  ],
  // Counts what passed: tests run first, all that changed since they last did, and one that fails ends nothing.
  "attack-bank": [
    evenIfItFails(
      quietly(
        "Running the tests that changed since they last passed",
        "turbo",
        "run",
        "test",
        "--continue",
      ),
    ),
    source("scripts/attack-bank.ts"),
  ],
  guards: [source("test/guards/src/main.ts")],
  check: [[...source("scripts/check.ts")]],
  generate: [[...source("scripts/generate.ts")]],
  fix: [["oxlint", "--fix"], ["oxfmt"]],
  verify: [QUIET_BUILD, [...source("apps/eve-registry/src/main.ts"), "verify", "--live"]],
  // Bundle, renew, assemble: a registry that does not fit its evidence yet cannot be assembled before it is renewed.
  repin: [
    quietly("Bundling", "turbo", "run", "bundle"),
    [
      ...source("apps/eve-registry/src/main.ts"),
      "renew",
      "--all",
      "--if-stale",
      "--reason",
      "Repinned: what is built changed, what was reviewed did not",
    ],
    QUIET_BUILD,
  ],
};

function source(file) {
  return ["node", "--conditions=@eve/source", file];
}

/** A step with variables that are set where the caller has not set them. */
function withEnv(defaults, command) {
  return Object.assign(command, { defaults });
}

const json = (file) => JSON.parse(readFileSync(file, "utf8"));
const env = {
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
};

function run(command, args, { title, defaults, mayFail } = {}) {
  if (title) console.error(`${title} …`);
  const stdio = title ? ["ignore", "pipe", "pipe"] : "inherit";
  const child = spawnSync(command, args, {
    cwd: root,
    env: { ...defaults, ...env },
    stdio,
    shell: windows,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (child.error) throw child.error;
  if (mayFail) return;
  if (title && child.status !== 0) process.stderr.write(`${child.stdout}${child.stderr}`);
  if (child.status !== 0) process.exit(child.status ?? 1);
}

/** A frozen install every time: what runs is what the lockfile says. Quiet when there is nothing to do. */
function install() {
  const { packageManager } = json(join(root, "package.json"));
  const local = join(root, "node_modules", "pnpm", "package.json");
  const isInstalled = existsSync(local) && packageManager === `pnpm@${json(local).version}`;
  const args = [
    "install",
    "--frozen-lockfile",
    ...(isInstalled ? ["--prefer-offline", "--reporter=silent"] : []),
  ];
  if (isInstalled) run("pnpm", args);
  else run("npx", ["--yes", packageManager, ...args]);
}

/** Answers the version of the Node that `node` now means; ends the run if it is older than `engines` asks. */
function requireNode() {
  // EVE_NODE=system: test on the machine's own Node. The next run without it installs the pinned one again.
  if (env.EVE_NODE === "system") rmSync(join(bin, windows ? "node.exe" : "node"), { force: true });
  const version = spawnSync("node", ["-p", "process.versions.node"], {
    env,
    encoding: "utf8",
    shell: windows,
  }).stdout.trim();
  const { engines } = json(join(root, "package.json"));
  const [have, need] = [version, engines.node.replace(/^>=/, "")].map((v) =>
    v.split(".").map(Number),
  );
  const distance = have[0] - need[0] || have[1] - need[1] || have[2] - need[2];
  if (distance >= 0) return version;
  console.error(
    `Node ${version} is too old. Install Node ${engines.node}: no pinned build exists for ${process.platform}-${process.arch}.`,
  );
  process.exit(1);
}

const [name, ...rest] = process.argv.slice(2);
const steps = commands[name];
if (!steps) {
  console.error(`usage: node scripts/run.mjs <${Object.keys(commands).join("|")}>`);
  process.exit(2);
}
install();
env.EVE_NODE_VERSION = requireNode(); // in turbo.json's globalEnv: a pass cached on one Node is not replayed on another
steps.forEach((step, index) => {
  const [command, ...args] = step;
  run(command, index === steps.length - 1 ? [...args, ...rest] : args, step);
});
