import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { RefusalCode } from "@eve/registry-schema";
import { type Launch, localAt, withEnvironment, type WorkbenchTrial } from "../trial.ts";
import type { RefusalRow } from "./row.ts";

type Started = (trial: WorkbenchTrial) => Launch;

const withVariable =
  (name: string, value: string | undefined): Started =>
  ({ launch }) =>
    withEnvironment(launch, { [name]: value });
const withArguments =
  (...args: readonly string[]): Started =>
  ({ launch }) => ({ ...launch, args });
const withToken = (token: string | undefined): Started =>
  withVariable("OSHUN_WORKBENCH_TOKEN", token);
const withUrl = (url: string | undefined): Started => withVariable("OSHUN_WORKBENCH_URL", url);

const CANARY = "canary-7f3a9c51d2";
const BODY = "A1b2C3d4E5f6G7h8J9k0L1m2N3p4Q5r6S7t8U9v0W1x";

const MALFORMED: readonly (readonly [what: string, token: string])[] = [
  ["of another form", CANARY],
  ["with its scheme before it", `Bearer eve_live_agent_${BODY}`],
  ["with a line end", `eve_live_agent_${BODY}\n`],
  ["with a character more", `eve_live_agent_${BODY}0`],
  ["in upper case", `EVE_LIVE_AGENT_${BODY}`],
  ["of an unknown class", `eve_live_admin_${BODY}`],
];

const underAnotherName: Started = ({ folder, launch }) => {
  copyFileSync(join(folder, "main.js"), join(folder, "workbench.js"));
  return { ...launch, args: ["workbench.js"] };
};

const transport: readonly RefusalRow[] = [
  {
    what: "an argument more on the command line",
    launch: withArguments("main.js", "--registry=/tmp"),
    code: "transport.changed",
  },
  { what: "the program under another name", launch: underAnotherName, code: "transport.changed" },
];

const runtime: readonly RefusalRow[] = [
  {
    what: "RP-14 NODE_OPTIONS",
    launch: withVariable("NODE_OPTIONS", "--import=data:text/javascript,0"),
    code: "runtime.unsafe",
  },
  {
    what: "NODE_COMPILE_CACHE",
    launch: ({ folder, launch }) =>
      withEnvironment(launch, { NODE_COMPILE_CACHE: join(folder, "cache") }),
    code: "runtime.unsafe",
  },
  {
    what: "NODE_TLS_REJECT_UNAUTHORIZED=0",
    launch: withVariable("NODE_TLS_REJECT_UNAUTHORIZED", "0"),
    code: "runtime.unsafe",
  },
  {
    what: "OPENSSL_CONF",
    launch: withVariable("OPENSSL_CONF", "/dev/null"),
    code: "runtime.unsafe",
  },
  {
    what: "TL-11 a proxy that Node would send the bearer to",
    launch: withVariable("NODE_USE_ENV_PROXY", "1"),
    code: "runtime.unsafe",
  },
  {
    what: "RP-14 a preload among Node's own options",
    launch: withArguments("--import", "data:text/javascript,0", "main.js"),
    code: "runtime.unsafe",
  },
  {
    what: "any option of Node's own",
    launch: withArguments("--no-deprecation", "main.js"),
    code: "runtime.unsafe",
  },
];

const settings: readonly RefusalRow[] = [
  { what: "no URL", launch: withUrl(undefined), code: "configuration.missing" },
  { what: "an empty URL", launch: withUrl(""), code: "configuration.missing" },
  { what: "a blank URL", launch: withUrl("  "), code: "configuration.missing" },
  { what: "no credential", launch: withToken(undefined), code: "credential.missing" },
  { what: "an empty credential", launch: withToken(""), code: "credential.missing" },
  ...["${TOKEN}", "<your token>", "changeme", `eve_live_agent_${"x".repeat(43)}`].map(
    (token): RefusalRow => ({
      what: `the placeholder ${token}`,
      launch: withToken(token),
      code: "credential.placeholder",
    }),
  ),
  ...MALFORMED.map(([what, token]): RefusalRow => ({
    what: `a credential ${what}`,
    launch: withToken(token),
    code: "credential.malformed",
    secrets: [BODY, CANARY],
  })),
  {
    what: "a local credential in production",
    launch: withToken(`eve_local_agent_${BODY}`),
    code: "credential.realm_mismatch",
    secrets: [BODY],
  },
  {
    what: "a live credential on this machine",
    entry: localAt("http://127.0.0.1:8787"),
    launch: withToken(`eve_live_agent_${BODY}`),
    code: "credential.realm_mismatch",
    secrets: [BODY],
  },
  {
    what: "an operator's credential",
    launch: withToken(`eve_live_operator_${BODY}`),
    code: "credential.class_refused",
    secrets: [BODY],
  },
];

/** Ways to write a URL that some program takes for the listed origin `https://workbench.eve.example`. */
const DESTINATIONS: readonly (readonly [what: string, url: string])[] = [
  ["TL-01 the listed host as user", `https://workbench.eve.example:${CANARY}@evil.example/`],
  ["TL-01 a password at the listed host", `https://user:${CANARY}@workbench.eve.example`],
  ["TL-02 a backslash", "https://workbench.eve.example\\@evil.example/"],
  ["TL-04 a Cyrillic letter", "https://workbеnch.eve.example"],
  ["TL-05 (ADR-0092-404) a longer host", "https://evilworkbench.eve.example"],
  ["TL-07 a full-width dot", "https://workbench。eve.example"],
  ["TL-07 a tab that parsers drop", "https://work\tbench.eve.example"],
  ["a slash at the end", "https://workbench.eve.example/"],
  ["the default port written out", "https://workbench.eve.example:443"],
  ["a dot at the end of the host", "https://workbench.eve.example."],
  ["a query", `https://workbench.eve.example?key=${CANARY}`],
  ["this machine", "http://127.0.0.1:8787"],
  ["a file", "file:///etc/passwd"],
  ["no URL at all", "workbench.eve.example"],
];

const destinations: readonly RefusalRow[] = [
  ...DESTINATIONS.map(([what, url]): RefusalRow => ({
    what: `the URL with ${what}`,
    launch: withUrl(url),
    code: "credential.destination_refused" satisfies RefusalCode,
    secrets: [CANARY],
  })),
  ...["http://localhost:8787", "http://[::ffff:127.0.0.1]:8787"].map((url): RefusalRow => ({
    what: `the URL of this machine as ${url}`,
    entry: localAt("http://127.0.0.1:8787"),
    launch: withUrl(url),
    code: "credential.destination_refused",
  })),
];

/** What is refused because of how, with what or for whom the program was started. */
export const LAUNCH_ROWS: readonly RefusalRow[] = [
  ...transport,
  ...runtime,
  ...settings,
  ...destinations,
];
