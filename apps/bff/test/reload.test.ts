import type { JsonObject } from "@eve/canonical-json";
import { formatInstant } from "@eve/registry-schema";
import { objectIn, textIn, withValue } from "@eve/test-kit";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "./database/store.ts";
import { OPERATOR, type RealService, type Replica, startService } from "./real-service.ts";

type Edit = (good: JsonObject) => JsonObject;

let service: RealService;
let [agent, operator] = ["", ""];
beforeAll(async () => {
  service = await startService();
  [agent, operator] = [await service.mint(), await service.mint(OPERATOR)];
});
afterAll(() => service.close());

async function post(
  app: FastifyInstance,
  token: string,
  url: string,
  payload: object,
): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.inject({ method: "POST", url, headers, payload })).json();
}

function call(app: FastifyInstance, tool: string, body: object): Promise<JsonObject> {
  return post(app, agent, `/v1/tools/${tool}/calls`, body);
}

interface Approved {
  readonly consentId: string;
  /** Ships with the approval, by a process; the status, or why not. */
  readonly ship: (app?: FastifyInstance) => Promise<string>;
  readonly state: () => Promise<string>;
  /** Action and code of each audit row of the consent. */
  readonly told: () => Promise<readonly string[]>;
}

/** An approval under the registry as it is now. */
async function approval(): Promise<Approved> {
  const { app } = service;
  const made = await post(app, operator, "/v1/items", { title: "t", description: "d" });
  const itemId = textIn(objectIn(made["item"])["id"]);
  await call(app, "workbench_claim_item", { arguments: { itemId } });
  const change = { itemId, summary: "s", artifactSha256: "a".repeat(64) };
  await call(app, "workbench_submit_change", { arguments: change });
  const args = { itemId, channel: "beta" };
  const { consentId, digest } = await call(app, "workbench_ship_item", { arguments: args });
  const id = textIn(consentId);
  await post(app, operator, `/v1/consents/${id}/approve`, { digest, reason: "r" });
  return {
    consentId: id,
    ship: async (by = app) => {
      const answer = await call(by, "workbench_ship_item", { arguments: args, consentId: id });
      return textIn(answer["code"] ?? answer["status"]);
    },
    state: async () => {
      const headers = { authorization: `Bearer ${operator}` };
      return textIn((await app.inject({ url: `/v1/consents/${id}`, headers })).json()["state"]);
    },
    told: async () => {
      const owner = await open(service.ownerUrl);
      await owner.query("select set_config('eve.tenant', 't1', false)");
      const { rows } = await owner.query<{ told: string }>(
        "select concat_ws(' ', action, code) as told from bff.audit where subject = $1 order by id",
        [id],
      );
      await owner.end();
      return rows.map(({ told }) => told);
    },
  };
}

const same: Edit = (good) => good;
const later = (ms: number): string => formatInstant(Date.now() + ms);

describe("an approval under a registry that was replaced since", () => {
  test("is good where the entry is the same but for its dates and its evidence", async () => {
    const asked = await approval();
    service.follow((good) => withValue(good, ["health", "expiresAt"], later(3_600_000)));
    expect(await asked.ship()).toBe("ok");
    service.follow(same);
  });

  test("is good to the last moment of the entry's dates, and not after them: health.expired", async () => {
    const [first, second] = [await approval(), await approval()];
    service.follow((good) => withValue(good, ["health", "expiresAt"], later(30_000)));
    expect(await first.ship()).toBe("ok");
    service.follow((good) => withValue(good, ["health", "expiresAt"], later(-1)));
    expect([await second.ship(), await second.state()]).toEqual(["health.expired", "approved"]);
    service.follow(same);
    expect(await second.ship()).toBe("ok");
  });

  test.each<readonly [string, Edit]>([
    [
      "a pin of the tool",
      (good) => withValue(good, ["tools", 5, "pins", "description"], "e".repeat(64)),
    ],
    ["the entry's owner", (good) => withValue(good, ["owner", "contact"], "#others")],
    [
      "the reason of the lifecycle",
      (good) => withValue(good, ["lifecycle", "reason"], "Active again"),
    ],
    [
      "since when it is active",
      (good) => withValue(good, ["lifecycle", "since"], "2026-01-02T00:00:00Z"),
    ],
  ])(
    "is voided by a change of %s, and stays so when that is undone: consent.surface_changed, consent.voided",
    async (_, edit) => {
      const asked = await approval();
      service.follow(edit);
      expect(await asked.ship()).toBe("consent.surface_changed");
      service.follow(same);
      expect([await asked.ship(), await asked.state()]).toEqual(["consent.voided", "voided"]);
      expect((await asked.told()).slice(1)).toEqual([
        "consent.voided consent.surface_changed",
        "consent.execution_refused consent.voided",
      ]);
    },
  );

  test.each([
    ["quarantined", "lifecycle.quarantined"],
    ["revoked", "lifecycle.revoked"],
  ])(
    "is voided when it is used while the entry is %s, and stays so when it is active again: %s, consent.voided",
    async (state, code) => {
      const [used, unused] = [await approval(), await approval()];
      service.follow((good) => withValue(good, ["lifecycle", "state"], state));
      expect(await used.ship()).toBe(code);
      expect(await used.state()).toBe("voided");
      expect(await used.ship()).toBe(code);
      // As an entry is made active again: since another time.
      service.follow((good) => withValue(good, ["lifecycle", "since"], "2026-01-03T00:00:00Z"));
      expect(await used.ship()).toBe("consent.voided");
      // Nobody used it meanwhile, and yet it is not good.
      expect(await unused.ship()).toBe("consent.surface_changed");
      service.follow(same);
      expect(await used.ship()).toBe("consent.voided");
      expect(await unused.ship()).toBe("consent.voided");
      expect((await used.told())[1]).toBe(`consent.voided ${code}`);
    },
  );

  test("of somebody else is not voided by who names it under a revoked entry: lifecycle.revoked", async () => {
    const asked = await approval();
    const other = await service.mint({ actor: "agent:2" });
    service.follow((good) => withValue(good, ["lifecycle", "state"], "revoked"));
    const answer = await post(service.app, other, "/v1/tools/workbench_ship_item/calls", {
      arguments: { itemId: "item-1", channel: "beta" },
      consentId: asked.consentId,
    });
    expect([answer["code"], await asked.state()]).toEqual(["lifecycle.revoked", "approved"]);
    service.follow(same);
    expect(await asked.ship()).toBe("ok");
  });
});

describe("of several processes of which one has reloaded", () => {
  let other: Replica;
  beforeAll(async () => {
    other = await service.replica();
  });

  test("the one left behind executes nothing, and what it refuses stays good: registry.rollback", async () => {
    const asked = await approval();
    other.reload();
    // Both have executed at once before, so that both know the caller and the time.
    const before = await approval();
    expect([await before.ship(other.app), await before.ship()]).toEqual(["ok", "consent.consumed"]);
    service.follow((good) => withValue(good, ["health", "expiresAt"], later(3_600_000)));
    const seen = await approval();
    expect(await asked.ship(other.app)).toBe("registry.rollback");
    expect(await seen.ship(other.app)).toBe("registry.rollback");
    expect([await asked.ship(), await seen.ship()]).toEqual(["ok", "ok"]);
  });

  test("the one that has voids what the others' registry approved, for all: consent.surface_changed, consent.voided", async () => {
    const asked = await approval();
    other.reload();
    service.follow((good) => withValue(good, ["tools", 5, "pins", "inputSchema"], "d".repeat(64)));
    expect(await asked.ship()).toBe("consent.surface_changed");
    expect(await asked.ship(other.app)).toBe("registry.rollback");
    other.reload();
    expect(await asked.ship(other.app)).toBe("consent.voided");
  });

  test("a revocation that one has seen stops all, before and after they reload: registry.rollback, lifecycle.revoked", async () => {
    service.follow(same);
    other.reload();
    const asked = await approval();
    service.follow((good) => withValue(good, ["lifecycle", "state"], "revoked"));
    expect(await asked.ship()).toBe("lifecycle.revoked");
    expect(await asked.ship(other.app)).toBe("registry.rollback");
    other.reload();
    expect(await asked.ship(other.app)).toBe("lifecycle.revoked");
    service.follow(same);
    other.reload();
    expect([await asked.ship(), await asked.ship(other.app)]).toEqual([
      "consent.voided",
      "consent.voided",
    ]);
  });
});
