import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const PROGRAM = join(ROOT, "apps/quickstart/src/main.ts");
const BEARER = /eve_(?:live|local)_[a-z]+_/;
const TIMEOUT_MS = 240_000;

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

function start(...args: readonly string[]): ReturnType<typeof spawnQuickstart> {
  const child = spawnQuickstart(args);
  children.push(child);
  return child;
}

function spawnQuickstart(args: readonly string[]) {
  return spawn(process.execPath, ["--conditions=@eve/source", PROGRAM, ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a step of a publication ends with: its refusal, and the item in the database. */
const publication = (
  id: string,
  before: object,
  after: object,
): readonly (readonly [string, string | undefined, object | undefined])[] => [
  [`${id}-previewed`, undefined, before],
  [`${id}-self-approval`, "consent.approver_not_operator", before],
  [`${id}-approved`, undefined, before],
  [`${id}-changed-argument`, "consent.arguments_mismatch", before],
  [`${id}-executed`, undefined, after],
  [`${id}-replayed`, "consent.consumed", after],
];

const submitted = { state: "submitted", version: 3, shipments: 0, verdicts: 0 };
const shipped = { state: "shipped", version: 4, shipments: 1, verdicts: 0 };
const verified = { state: "verified", version: 5, shipments: 1, verdicts: 1 };

describe("npm run demo", () => {
  it(
    "shows the gate, one shipment, its verification and the peer, each refusal by its code, and ends with 0",
    async () => {
      const child = start("--demo", "--json");
      const [out, error, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "exit"),
      ]);
      expect({ code, error }).toEqual({ code: 0, error: "" });
      expect(out).not.toMatch(BEARER);
      const { ok, expected, steps } = JSON.parse(out);
      expect({ ok, expected }).toEqual({ ok: true, expected: steps.length });
      const told = steps.map(
        (step: { id: string; refusals?: { code: string }[]; item?: object }) => [
          step.id,
          step.refusals?.[0]?.code,
          step.item,
        ],
      );
      expect(told).toEqual([
        ["admitted", undefined, undefined],
        ["description-changed", "surface.description_drift", undefined],
        ["pin-changed", "surface.schema_drift", undefined],
        ["quarantined", "lifecycle.quarantined", undefined],
        ["expired", "health.expired", undefined],
        ["unknown-server", "entry.absent", undefined],
        ["third-party", "surface.tool_set_drift", undefined],
        ["services", undefined, undefined],
        ["item-submitted", undefined, submitted],
        ...publication("shipment", submitted, shipped),
        ...publication("verification", shipped, verified),
        ["peer-admitted", undefined, undefined],
        ["peer-wrong-audience", "auth.token_invalid", undefined],
        ["audit-verified", undefined, undefined],
      ]);
    },
    TIMEOUT_MS,
  );
});

describe("npm start", () => {
  it(
    "stays up with both credentials in 0600 files that work, and takes all with it when it is stopped",
    async () => {
      const child = start("--json");
      const ended = once(child, "exit");
      const [first, second] = await twoLines(child.stdout);
      expect(JSON.parse(first).ok).toBe(true);
      const { running } = JSON.parse(second);
      expect(first + second).not.toMatch(BEARER);

      const agent = secretIn(running.agentCredentialFile);
      const item = await call(running.backend, agent, "workbench_get_item", {
        itemId: running.itemId,
      });
      expect(item).toMatchObject({ status: "ok", item: { state: "queued" } });
      expect(secretIn(running.operatorCredentialFile)).toMatch(/^eve_local_operator_/);
      expect(await statusOf(running.bellona)).toBe(401);
      expect(existsSync(running.program)).toBe(true);

      child.kill("SIGINT");
      expect(await ended).toEqual([0, null]);
      expect(existsSync(dirname(running.agentCredentialFile))).toBe(false);
      expect(await statusOf(running.backend)).toBeUndefined();
      expect(await statusOf(running.bellona)).toBeUndefined();
    },
    TIMEOUT_MS,
  );

  it(
    "leaves nothing running when it is killed",
    async () => {
      const child = start("--json");
      const [, second] = await twoLines(child.stdout);
      const { running } = JSON.parse(second);
      child.kill("SIGKILL");
      await once(child, "exit");
      await expect.poll(() => statusOf(running.backend), { timeout: 30_000 }).toBeUndefined();
      await expect.poll(() => statusOf(running.bellona), { timeout: 30_000 }).toBeUndefined();
    },
    TIMEOUT_MS,
  );
});

/** The summary of the steps, and how to reach what runs. */
async function twoLines(output: Readable): Promise<readonly [string, string]> {
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const [first, second] = [await lines.next(), await lines.next()];
  return [first.value ?? "", second.value ?? ""];
}

function secretIn(file: string): string {
  // Windows has no permission bits to look at.
  const mode = process.platform === "win32" ? 0o600 : statSync(file).mode & 0o777;
  expect(mode).toBe(0o600);
  return readFileSync(file, "utf8");
}

async function call(origin: string, bearer: string, tool: string, args: object): Promise<unknown> {
  const response = await fetch(`${origin}/v1/tools/${tool}/calls`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ arguments: args }),
  });
  return response.json();
}

/** The status of a request without a credential; undefined where nobody answers. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { method: "POST" });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
