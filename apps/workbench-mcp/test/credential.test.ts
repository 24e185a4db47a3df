import { beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "@eve/registry-schema";
import { type Settings, judgeCredential } from "../src/credential.ts";
import { entryOf, goodEntry } from "./good-registry.ts";

const RANDOM = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE";
const ORIGIN = "https://workbench.eve.example";
const LOCAL = "http://127.0.0.1:8787";
const GOOD: Settings = { url: ORIGIN, token: `eve_live_agent_${RANDOM}` };

let production: Entry;
let local: Entry;
beforeAll(async () => {
  production = entryOf(await goodEntry(ORIGIN));
  local = entryOf(await goodEntry(LOCAL));
});

const codes = (change: Partial<Settings>, entry = production): readonly string[] =>
  judgeCredential(entry, { ...GOOD, ...change }).map(({ code }) => code);

describe("judgeCredential", () => {
  test("takes an issued credential for a listed origin", () => {
    expect(codes({})).toEqual([]);
    expect(codes({ token: `eve_live_shared_${RANDOM}` })).toEqual([]);
    expect(codes({ url: LOCAL, token: `eve_local_agent_${RANDOM}` }, local)).toEqual([]);
  });

  test.each([undefined, "", " ", "\t\n"])("refuses the URL %j: configuration.missing", (url) =>
    expect(codes({ url })).toEqual(["configuration.missing"]),
  );
  test.each([undefined, "", " ", "\n"])("refuses the token %j: credential.missing", (token) =>
    expect(codes({ token })).toEqual(["credential.missing"]),
  );
  test("reports both that are not set, the setting first", () => {
    expect(codes({ url: undefined, token: undefined })).toEqual([
      "configuration.missing",
      "credential.missing",
    ]);
  });

  test.each([
    "${TOKEN}",
    "<token>",
    "{{token}}",
    "changeme",
    "your-token",
    "eve_live_agent_<token>",
  ])("refuses the token %j: credential.placeholder", (token) => {
    expect(codes({ token })).toEqual(["credential.placeholder"]);
  });

  test.each([
    RANDOM,
    `eve_live_agent_${RANDOM.slice(1)}`,
    `eve_live_agent_${RANDOM}A`,
    `eve_live_agent_${RANDOM}\n`,
    ` eve_live_agent_${RANDOM}`,
    `EVE_live_agent_${RANDOM}`,
    `eve_LIVE_agent_${RANDOM}`,
    `eve_test_agent_${RANDOM}`,
    `eve_live_admin_${RANDOM}`,
    `eve_live__${RANDOM}`,
    `eve-live-agent-${RANDOM}`,
    `Bearer eve_live_agent_${RANDOM}`,
    `eve_live_agent_${RANDOM.slice(1)}+`,
    `eve_live_agent_${RANDOM.slice(1)}ä`,
  ])("refuses the token %j: credential.malformed", (token) =>
    expect(codes({ token })).toEqual(["credential.malformed"]),
  );

  test("refuses a local credential in production and a live one locally: credential.realm_mismatch", () => {
    expect(codes({ token: `eve_local_agent_${RANDOM}` })).toEqual(["credential.realm_mismatch"]);
    expect(codes({ url: LOCAL, token: `eve_live_agent_${RANDOM}` }, local)).toEqual([
      "credential.realm_mismatch",
    ]);
  });

  test("refuses an operator's credential: credential.class_refused", () => {
    expect(codes({ token: `eve_live_operator_${RANDOM}` })).toEqual(["credential.class_refused"]);
    expect(codes({ token: `eve_local_operator_${RANDOM}` })).toEqual([
      "credential.realm_mismatch",
      "credential.class_refused",
    ]);
  });

  test.each([
    `${ORIGIN}/`,
    `${ORIGIN}/v1`,
    `${ORIGIN}?x=1`,
    `${ORIGIN}#x`,
    `${ORIGIN}:443`,
    `${ORIGIN}:8443`,
    `${ORIGIN}.`,
    ` ${ORIGIN}`,
    `${ORIGIN} `,
    `${ORIGIN}\n`,
    "HTTPS://workbench.eve.example",
    "https://WORKBENCH.eve.example",
    "https:/workbench.eve.example",
    "https:\\\\workbench.eve.example",
    "https://user:pass@workbench.eve.example",
    "https://workbench.eve.example@evil.example",
    "https://workbench.eve.example.evil.example",
    "https://evil.example",
    "https://workbench。eve.example",
    "http://workbench.eve.example",
    "wss://workbench.eve.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "workbench.eve.example",
    "null",
    LOCAL,
  ])("refuses the destination %j: credential.destination_refused", (url) =>
    expect(codes({ url })).toEqual(["credential.destination_refused"]),
  );

  test.each([
    "http://localhost:8787",
    "http://127.0.0.1:8788",
    "http://127.1:8787",
    "http://[::1]:8787",
    "https://127.0.0.1:8787",
  ])(
    "refuses %j where another loopback origin is listed: credential.destination_refused",
    (url) => {
      expect(codes({ url, token: `eve_local_agent_${RANDOM}` }, local)).toEqual([
        "credential.destination_refused",
      ]);
    },
  );

  test("refuses any destination where the entry lists no credential of that variable: credential.destination_refused", () => {
    expect(codes({}, { ...production, credentials: [] })).toEqual([
      "credential.destination_refused",
    ]);
    expect(
      codes(
        {},
        {
          ...production,
          credentials: production.credentials.map((credential) => ({
            ...credential,
            env: "OTHER",
          })),
        },
      ),
    ).toEqual(["credential.destination_refused"]);
  });

  test("reports token and destination together", () => {
    expect(codes({ url: "https://evil.example", token: "changeme" })).toEqual([
      "credential.placeholder",
      "credential.destination_refused",
    ]);
  });

  test("quotes neither the secret nor what is in the URL beside its origin", () => {
    const url = "https://us3r:p4ss@workbench.eve.example/p4th?qu3ry#fr4g";
    const all = [`eve_live_operator_${RANDOM}`, RANDOM, `eve_local_agent_${RANDOM}`].map((token) =>
      judgeCredential(production, { url, token }),
    );
    expect(JSON.stringify(all)).not.toMatch(/us3r|p4ss|p4th|qu3ry|fr4g|Zm9v/);
    expect(JSON.stringify(all)).toContain("https://workbench.eve.example, but not written so");
  });

  test("does not quote a secret that was put into the URL's place", () => {
    expect(JSON.stringify(judgeCredential(production, { ...GOOD, url: GOOD.token }))).not.toContain(
      "Zm9v",
    );
  });
});
