import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { inheritedEnvironment } from "@eve/mcp-guard";
import { CATALOGUE } from "@eve/registry-schema";
import { at, DAY_MS } from "@eve/test-kit";
import { describe, expect, test } from "vitest";
import { parseObject } from "../src/json.ts";
import { runRegistryCli } from "../src/registry-cli.ts";
import { refusedWith, toldBy } from "../src/refusal-oracle.ts";
import { all, set } from "../src/rows/row.ts";
import { OPENINGS, runToEnd } from "../src/run.ts";
import { SDK_MODES } from "../src/sdk-clients.ts";
import { seededRandom } from "../src/seeded-random.ts";
import { documentText, goodWorkbench, withEnvironment, workbenchTrial } from "../src/trial.ts";
import { wireSurface } from "../src/wire-surface.ts";

const NOW = Date.now();
const good = goodWorkbench(NOW);
const CODE = "lifecycle.quarantined";
const { title, remedy } = CATALOGUE[CODE];
const quarantined = { entry: set(["lifecycle", "state"], "quarantined") };

describe.concurrent("a client that says nothing", () => {
  test(`is not waited for once its stdin has ended: ${CODE}`, async () => {
    const ended = await runToEnd(workbenchTrial(good, quarantined).launch, { closes: true });
    expect(toldBy(ended, CODE)).toEqual(refusedWith(CODE, undefined));
    expect(ended.ms).toBeLessThan(10_000);
  });

  test(`is waited for 2 s while its stdin stays open, then no more: ${CODE}`, async () => {
    const ended = await runToEnd(workbenchTrial(good, quarantined).launch, {});
    expect(toldBy(ended, CODE)).toEqual(refusedWith(CODE, undefined));
    expect(ended.ms).toBeGreaterThan(2000);
    expect(ended.ms).toBeLessThan(10_000);
  });
});

describe.concurrent("an opening request", () => {
  const noise = [
    ["garbage", "GET / HTTP/1.1\r\n\r\n\u0000\n"],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'],
    ["an answer to nothing", '{"jsonrpc":"2.0","id":7,"result":{}}\n'],
    ["a duplicate key", '{"jsonrpc":"2.0","id":7,"id":8,"method":"initialize"}\n'],
  ] as const;

  test.for(noise)(`is answered after %s: ${CODE}`, async ([, before]) => {
    const { launch } = workbenchTrial(good, quarantined);
    const { id, line } = OPENINGS.legacy;
    const ended = await runToEnd(launch, { input: before + line });
    expect(toldBy(ended, CODE)).toEqual(refusedWith(CODE, id));
  });

  test(`is answered once, however many follow: ${CODE}`, async () => {
    const { launch } = workbenchTrial(good, quarantined);
    const input = OPENINGS.modern.line + OPENINGS.legacy.line.repeat(3);
    expect(toldBy(await runToEnd(launch, { input }), CODE)).toEqual(
      refusedWith(CODE, OPENINGS.modern.id),
    );
  });

  test(`without its line end is none: ${CODE}`, async () => {
    const { launch } = workbenchTrial(good, quarantined);
    const input = OPENINGS.legacy.line.trimEnd();
    expect(toldBy(await runToEnd(launch, { input, closes: true }), CODE)).toEqual(
      refusedWith(CODE, undefined),
    );
  });
});

describe.concurrent("a person learns the cause", () => {
  test.for(SDK_MODES)(`with $name: ${CODE}`, async (mode) => {
    const { launch, lastRefusal } = workbenchTrial(good, quarantined);
    const message = await mode.connect(launch).then(
      () => "served",
      (error: unknown) => String(error),
    );
    const told = [CODE, title, remedy].map((part) => message.includes(part));
    expect(told).toEqual([mode.showsRefusal, mode.showsRefusal, mode.showsRefusal]);
    expect(message).toMatch(/Connection closed|did not offer pinned|quarantined/);
    expect(parseObject(readFileSync(lastRefusal, "utf8"))["codes"]).toEqual([CODE]);
    expect(statSync(lastRefusal).mode & 0o777).toBe(0o600);
  });

  test(`from the doctor, where the client hides it: ${CODE}`, async () => {
    const { folder, launch } = workbenchTrial(good, quarantined);
    await runToEnd(launch, { closes: true });
    const { env } = withEnvironment(launch, { OSHUN_WORKBENCH_TOKEN: undefined });
    const told = await runRegistryCli(["doctor", "--json"], { cwd: folder, env });
    expect(told.code).toBe(0);
    expect(parseObject(told.stdout)).toMatchObject({
      notes: [{ integration: "oshun-workbench", codes: [CODE] }],
    });
    const prose = await runRegistryCli(["doctor"], { cwd: folder, env });
    for (const part of [CODE, title, remedy]) expect(prose.stdout).toContain(part);
  });

  test(`from one whole file after four starts at once: ${CODE}`, async () => {
    const { launch, lastRefusal } = workbenchTrial(good, quarantined);
    await Promise.all(Array.from({ length: 4 }, () => runToEnd(launch, { closes: true })));
    expect(readdirSync(dirname(lastRefusal))).toEqual(["oshun-workbench.json"]);
    expect(parseObject(readFileSync(lastRefusal, "utf8"))["codes"]).toEqual([CODE]);
  });

  test(`though the state folder cannot be made: ${CODE}`, async () => {
    const { launch, registry } = workbenchTrial(good, quarantined);
    const { id, line } = OPENINGS.legacy;
    const nowhere = withEnvironment(launch, { XDG_STATE_HOME: registry });
    expect(toldBy(await runToEnd(nowhere, { input: line }), CODE)).toEqual(refusedWith(CODE, id));
  });
});

describe.concurrent("the verdict", () => {
  const faults = all(
    set(["lifecycle", "state"], "revoked"),
    set(["health", "observedAt"], at(NOW - 2 * DAY_MS)),
    set(["health", "expiresAt"], at(NOW - DAY_MS)),
    set(["source", "version"], "9.9.9"),
    set(["transport", "command"], "deno"),
  );
  const CODES = [
    "lifecycle.revoked",
    "health.expired",
    "source.version_changed",
    "transport.changed",
  ];
  const seeds = Array.from({ length: 20 }, (_, i) => i + 1);

  test.for(seeds)(
    "is the same with the registry's keys in another order, shuffle %i: lifecycle.revoked",
    async (seed) => {
      const random = seededRandom(seed);
      const file = (text: string): string => documentText(shuffled(parseObject(text), random));
      const { launch, lastRefusal } = workbenchTrial(good, { entry: faults, file });
      const ended = await runToEnd(launch, { closes: true });
      const code = "lifecycle.revoked";
      expect(toldBy(ended, code)).toEqual(refusedWith(code, undefined));
      expect(parseObject(readFileSync(lastRefusal, "utf8"))["codes"]).toEqual(CODES);
    },
  );

  test("SS-01 admits the same entry with its keys in another order", async () => {
    const random = seededRandom(1);
    const file = (text: string): string => documentText(shuffled(parseObject(text), random));
    const surface = await wireSurface(workbenchTrial(good, { file }).launch, "2025-11-25");
    expect(surface.tools).toHaveLength(7);
  });

  test("RT-22 admits in any time zone and language", async () => {
    const { launch } = workbenchTrial(good);
    const elsewhere = withEnvironment(launch, {
      TZ: "Pacific/Kiritimati",
      LANG: "ar_SA.UTF-8",
      LC_ALL: "ar_SA.UTF-8",
    });
    expect((await wireSurface(elsewhere, "2026-07-28")).tools).toHaveLength(7);
  });

  test("RP-14 admits a program that the launcher gave a clean environment", async () => {
    const { launch } = workbenchTrial(good);
    const dirty = { ...launch.env, NODE_OPTIONS: "--no-warnings", NODE_COMPILE_CACHE: launch.cwd };
    const clean = { ...launch, env: inheritedEnvironment(dirty) };
    expect((await wireSurface(clean, "2025-11-25")).tools).toHaveLength(7);
  });
});

function shuffled(value: JsonObject, random: () => number): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]) => ({ key, child: shuffledValue(child, random), by: random() }))
      .toSorted((a, b) => a.by - b.by)
      .map(({ key, child }) => [key, child]),
  );
}

function shuffledValue(value: JsonValue, random: () => number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => shuffledValue(item, random));
  return isJsonObject(value) ? shuffled(value, random) : value;
}
