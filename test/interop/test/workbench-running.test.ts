import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { at, withChange, withValue } from "@eve/test-kit";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { type Backend, startBackend } from "../src/backend.ts";
import { requireObject } from "../src/json.ts";
import { rewordPermission } from "../src/rows/entry.ts";
import { SDK_MODES, type SdkMode, type Session, type ShownResult } from "../src/sdk-clients.ts";
import {
  type Change,
  documentText,
  goodWorkbench,
  localAt,
  reviewed,
  type WorkbenchTrial,
  workbenchTrial,
} from "../src/trial.ts";

const NOW = Date.now();
const good = goodWorkbench(NOW);

/** What is written beside the running program, and the code its next call must answer. */
interface Landing {
  readonly what: string;
  readonly code: RefusalCode;
  readonly land: (registry: string, document: JsonObject) => void;
}

const LANDINGS: readonly Landing[] = [
  {
    what: "RR-11 a quarantine",
    code: "lifecycle.quarantined",
    land: entry(["lifecycle", "state"], "quarantined"),
  },
  {
    what: "RR-11 a revocation",
    code: "lifecycle.revoked",
    land: entry(["lifecycle", "state"], "revoked"),
  },
  {
    what: "a health that has expired",
    code: "health.expired",
    land: entry(["health", "expiresAt"], at(NOW + 1)),
  },
  {
    what: "an evaluation that failed",
    code: "evaluation.failed",
    land: entry(["evaluation", "status"], "failed"),
  },
  { what: "RR-01 a lower sequence", code: "registry.rollback", land: document(before) },
  {
    what: "RR-02 the same sequence with other bytes",
    code: "registry.rollback",
    land: document((one) => withValue(one, ["integrations", 0, "owner", "contact"], "another")),
  },
  {
    what: "RR-10 a file cut in the middle",
    code: "registry.unparseable",
    land: (registry, one) => replace(registry, documentText(after(one)).slice(0, 1000)),
  },
  {
    what: "an unknown field",
    code: "registry.unknown_field",
    land: document((one) => ({ ...after(one), allow: "*" })),
  },
  { what: "no file", code: "registry.missing", land: (registry) => rmSync(registry) },
  {
    what: "a folder in the file's place",
    code: "registry.unreadable",
    land: (registry) => (rmSync(registry), mkdirSync(registry)),
  },
  {
    what: "another program's entry alone",
    code: "entry.absent",
    land: entry(["id"], "another-workbench"),
  },
  {
    what: "an entry that is not complete",
    code: "registry.field_missing",
    land: entry(["owner"], undefined),
  },
  {
    what: "a permission that no review knows",
    code: "review.subject_changed",
    land: document((one) => withEntry(after(one), rewordPermission)),
  },
  {
    what: "a permission reworded and reviewed",
    code: "entry.changed",
    land: document((one) => withEntry(after(one), (raw) => reviewed(rewordPermission(raw)))),
  },
];

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.close());

/** All landings in one era; of those that judge the file, the entry and its dates one each in the other. */
const ERAS = SDK_MODES.flatMap((mode) => {
  if (mode.name === "sdk 1.x") return [{ mode, name: mode.name, landings: LANDINGS }];
  const some = LANDINGS.filter(({ code }) => /unparseable|revoked|entry\.changed/.test(code));
  return mode.name === "client 2.x pinned" ? [{ mode, name: mode.name, landings: some }] : [];
});

describe.concurrent.each(ERAS)("a running workbench with $name", ({ mode, landings }) => {
  test.for(landings)(
    "refuses the next call after $what, breaks nothing else, and works again: $code",
    async ({ code, land }, context) => {
      const { session, trial } = await open(mode, context);
      expect(await list(session)).toMatchObject({ structuredContent: { status: "ok" } });
      land(trial.registry, trial.document);
      expect(await list(session)).toMatchObject(refused(code));
      expect(await session.listTools()).toHaveLength(7);
      restore(
        trial.registry,
        withValue(trial.document, ["sequence"], sequenceOf(trial.document) + 2),
      );
      expect(await list(session)).toMatchObject({ structuredContent: { status: "ok" } });
    },
  );

  test("RT-20 refuses a call after an expiry that passes while it runs: health.expired", async (context) => {
    const { session, trial } = await open(mode, context);
    const expiry = Date.now() + 1000;
    entry(["health", "expiresAt"], at(expiry))(trial.registry, trial.document);
    while (Date.now() < expiry) await sleep(expiry - Date.now());
    expect(await list(session)).toMatchObject(refused("health.expired"));
  });

  test("RR-11 sends nothing to the backend once it is revoked: lifecycle.revoked", async (context) => {
    const own = await startBackend();
    context.onTestFinished(() => own.close());
    const { session, trial } = await open(mode, context, own.origin);
    entry(["lifecycle", "state"], "revoked")(trial.registry, trial.document);
    expect(await list(session)).toMatchObject(refused("lifecycle.revoked"));
    expect(own.seen).toEqual([]);
  });
});

async function open(
  mode: SdkMode,
  { onTestFinished }: TestContext,
  origin: string = backend.origin,
): Promise<{ session: Session; trial: WorkbenchTrial }> {
  const trial = workbenchTrial(good, {
    entry: localAt(origin),
    document: (one) => withValue(one, ["sequence"], 10),
  });
  const session = await mode.connect(trial.launch);
  onTestFinished(() => session.close());
  await session.listTools();
  return { session, trial };
}

function list(session: Session): Promise<ShownResult> {
  return session.callTool("workbench_list_items", {});
}

function refused(code: RefusalCode): object {
  return { isError: true, structuredContent: { status: "refused", code } };
}

/** Lands the next document with one place of its entry changed. */
function entry(
  path: readonly (string | number)[],
  value: JsonObject[string] | undefined,
): Landing["land"] {
  return document((one) => withEntry(after(one), (raw) => withValue(raw, path, value)));
}

function document(change: Change): Landing["land"] {
  return (registry, one) => replace(registry, documentText(change(one)));
}

function withEntry(one: JsonObject, change: Change): JsonObject {
  return withChange(one, ["integrations", 0], (raw) => change(requireObject(raw)));
}

function after(one: JsonObject): JsonObject {
  return withValue(one, ["sequence"], sequenceOf(one) + 1);
}

function before(one: JsonObject): JsonObject {
  return withValue(one, ["sequence"], sequenceOf(one) - 1);
}

function sequenceOf({ sequence }: JsonObject): number {
  if (typeof sequence !== "number") throw new Error("no sequence");
  return sequence;
}

function restore(registry: string, one: JsonObject): void {
  rmSync(registry, { recursive: true, force: true });
  replace(registry, documentText(one));
}

/** As an owner's tool writes it: whole, or not at all. */
function replace(registry: string, text: string): void {
  writeFileSync(`${registry}.new`, text);
  renameSync(`${registry}.new`, registry);
}
