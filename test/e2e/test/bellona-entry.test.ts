import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import {
  loadRegistry,
  makeTrialFolder,
  observeFirstParty,
  programOf,
  requireEntry,
  requireFirstParty,
  type ServedProgram,
  withServedProgram,
} from "@eve/registry-cli";
import { type FirstPartyEntry, parseRegistry, type ProtocolVersion } from "@eve/registry-schema";
import { admit, type Observation, surfacePins, type Surface } from "@eve/trust-admission";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Everything that listens at the port the entry names is in this one file, one test after the other.

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WORKSPACE = {
  root: ROOT,
  registry: process.env["EVE_TEST_REGISTRY_DIR"] ?? join(ROOT, "registry"),
};
const BELLONA = "bellona-protected-http";

const loaded = loadRegistry(WORKSPACE.registry);
if (!loaded.ok) throw new Error(`${loaded.refusals[0].code}: ${loaded.refusals[0].subject}`);
const { registry } = loaded.assembled;
const { entry } = requireEntry(loaded.assembled, BELLONA);
const bellona: FirstPartyEntry = requireFirstParty(entry);

const folder = mkdtempSync(join(tmpdir(), "eve-e2e-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the registry", () => {
  test("has two entries: the workbench in production, and the reference peer that is deployed nowhere (ADR-0092-224, ADR-0092-227)", () => {
    const entries = [...registry.integrations.values()].flatMap((record) =>
      record.status === "complete" ? [record.entry] : [],
    );
    expect(
      entries.map(({ id, deployment, transport }) => [id, deployment, transport.type]),
    ).toEqual([
      [BELLONA, "local-reference", "streamable-http"],
      ["oshun-workbench", "production", "stdio"],
    ]);
  });

  test("says of the peer what it may do, what it needs and what it is sent (ADR-0092-103)", () => {
    expect(bellona).toMatchObject({
      owner: { team: "eve-platform" },
      review: { basis: "reviewed", reviewer: "eve-security" },
      riskClass: "read",
      transport: { url: "http://127.0.0.1:4093/mcp" },
      permissions: ["bellona:read"],
      credentials: [{ scopes: ["bellona:read"], destinations: ["http://127.0.0.1:4093"] }],
      destinations: [{ origin: "http://127.0.0.1:4093", dataClasses: ["nonce"] }],
    });
    expect(bellona.tools.map(({ name, riskClass }) => [name, riskClass])).toEqual([
      ["bellona_ping", "read"],
    ]);
  });
});

describe("the built program", () => {
  const program = programOf(bellona, ROOT);

  test("holds the digest of its own source", () => {
    const { value } = observeFirstParty(bellona, ROOT).source;
    expect(readFileSync(program, "utf8")).toContain(value.sha256);
  });

  test("is one file that starts in an empty folder, and says what it needs", () => {
    const alone = join(mkdtempSync(join(folder, "alone-")), "main.js");
    copyFileSync(program, alone);
    const { status, stderr } = spawnSync(process.execPath, [alone], { env: {}, encoding: "utf8" });
    expect(stderr).toContain("BELLONA_RESOURCE, BELLONA_ISSUER and BELLONA_JWKS_FILE are needed");
    expect(status).toBe(78);
  });
});

/** Runs the built peer at the entry's own port; a port that is taken fails by name. */
function served<T>(use: (program: ServedProgram) => Promise<T>): Promise<T> {
  return withServedProgram(bellona, ROOT, process.env, use);
}

/** A session of the official client in exactly one version. */
async function connect({ url, token }: ServedProgram, version: ProtocolVersion): Promise<Client> {
  const mode = version === "2026-07-28" ? { pin: version } : "legacy";
  const client = new Client({ name: "e2e", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** What an SDK shows, as JSON. */
function asJson(value: object): JsonObject {
  const parsed = parseJson(Buffer.from(JSON.stringify(value)));
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("no JSON object");
  return parsed.value;
}

describe("the built peer at the port its entry names", () => {
  test.each(bellona.protocol.versions)(
    "shows the official client in %s the very tool that is pinned, and answers its call (ADR-0092-102, ADR-0092-226)",
    async (version) => {
      await served(async (program) => {
        expect(program.url).toBe("http://127.0.0.1:4093/mcp");
        const client = await connect(program, version);
        expect(client.getNegotiatedProtocolVersion()).toBe(version);
        const { tools } = await client.listTools();
        const shown: Surface = {
          protocolVersion: version,
          instructions: undefined,
          capabilities: undefined,
          tools: tools.map(asJson),
          prompts: undefined,
          resources: undefined,
          resourceTemplates: undefined,
        };
        const pinned = bellona.tools.map(({ name, pins }) => ({
          name,
          pins: { ...pins, definition: pins.definition[version] },
        }));
        expect(surfacePins(shown).tools).toEqual(pinned);
        const answer = await client.callTool({
          name: "bellona_ping",
          arguments: { nonce: "e2e-1" },
        });
        expect(answer.structuredContent).toEqual({ nonce: "e2e-1" });
        await client.close();
      });
    },
  );

  test("refuses to share the port: a second start names it", async () => {
    await served(async () => {
      await expect(served(() => Promise.resolve())).rejects.toThrow(
        /127\.0\.0\.1:4093 cannot be used .*stop what holds port 4093/,
      );
    });
  });
});

describe("admission of the built peer", () => {
  const now = Date.now();
  let observations: readonly Observation[] = [];
  let admitted: (observation: Observation) => ReturnType<typeof admit>;

  beforeAll(async () => {
    // The committed entry, dated now and with the digests of the present build.
    const trial = makeTrialFolder(WORKSPACE, BELLONA, folder, now);
    const parsed = parseRegistry(readFileSync(trial.registry));
    if (!parsed.ok) throw new Error(parsed.refusals[0].code);
    admitted = (observation) => admit(parsed.registry, observation, now);
    const { staleBuild: _, ...standing } = observeFirstParty(bellona, ROOT);
    const capabilities = bellona.surface.observedWith.clientCapabilities;
    observations = await served(async ({ observe }) => {
      const all: Observation[] = [];
      for (const protocolVersion of bellona.protocol.versions) {
        const request = { integration: BELLONA, protocolVersion, clientCapabilities: capabilities };
        const observed = await observe(request);
        if (!observed.ok) throw new Error(JSON.stringify(observed.refusals));
        const surface = { how: "measured" as const, value: observed.surface };
        all.push({ ...standing, client: { capabilities }, surface });
      }
      return all;
    });
  });

  test("measures every part of what runs on this machine", () => {
    expect(observations).toHaveLength(2);
    for (const observation of observations)
      expect(admitted(observation)).toMatchObject({
        admitted: true,
        admission: {
          integration: BELLONA,
          transport: { type: "streamable-http", url: "http://127.0.0.1:4093/mcp" },
          measured: ["source", "version", "transport", "surface"],
          attested: [],
        },
      });
  });

  test("tells what somebody else only attested", () => {
    for (const observation of observations) {
      const source = { ...observation.source, how: "attested" as const };
      const version = { ...observation.version, how: "attested" as const };
      expect(admitted({ ...observation, source, version })).toMatchObject({
        admitted: true,
        admission: { measured: ["transport", "surface"], attested: ["source", "version"] },
      });
    }
  });

  test("refuses it at another address: transport.changed", () => {
    for (const observation of observations) {
      const url = "http://127.0.0.1:4094/mcp";
      const transport = {
        how: "measured" as const,
        value: { type: "streamable-http" as const, url },
      };
      expect(admitted({ ...observation, transport })).toMatchObject({
        admitted: false,
        refusals: [{ code: "transport.changed" }],
      });
    }
  });
});
