import { instantMs } from "@eve/registry-schema";
import { encodeBinding } from "../binding.ts";
import { bindingDigest } from "../binding-digest.ts";
import { REQUEST_LIFE_MS } from "../consent-state.ts";
import { ask, codeOf, granted, refusalIn, shipment, UNKNOWN } from "./cast.ts";
import type { CaseRow } from "./case-row.ts";
import { expectEqual } from "./contract-violation.ts";

/** What asking for consent promises. */
export const REQUEST_CASES: readonly CaseRow[] = [
  {
    title: "writes a pending request that shows the exact move, and moves nothing",
    run: async (cast) => {
      const { harness, tenant, agent } = cast;
      const { view, itemId, call } = await ask(cast);
      const { state, version } = await harness.itemOf(tenant, itemId);
      const { destinations, ...asked } = call;
      const { consentId, expiresAt, preview, ...binding } = view.binding;
      expectEqual("state", view.state, "pending");
      expectEqual("binding", { ...binding }, { version: 1, actor: agent.actor, tenant, ...asked });
      const effect = { channel: "beta" };
      const move = { itemId, from: "submitted", to: "shipped", version, effect, destinations };
      expectEqual("preview", preview, move);
      expectEqual("item", state, "submitted");
      expectEqual("id", consentId, view.id);
      expectEqual("life", instantMs(expiresAt) - instantMs(view.createdAt), REQUEST_LIFE_MS);
      expectEqual("expiry", view.expiresAt, expiresAt);
      expectEqual("decision", [view.decidedBy, view.outcome], [null, null]);
    },
  },
  {
    title: "answers the digest of the very bytes of the binding",
    run: async (cast) => {
      const { view } = await ask(cast);
      expectEqual("digest", view.digest, bindingDigest(encodeBinding(view.binding)));
    },
  },
  {
    title: "answers the same pending request to the same call, however its members are ordered",
    run: async (cast) => {
      const { view, call } = await ask(cast);
      const entries = Object.entries(call.arguments).toReversed();
      const again = { ...call, arguments: Object.fromEntries(entries) };
      expectEqual("id", granted(await cast.store.request(cast.agent, again)).id, view.id);
    },
  },
  {
    title: "answers one request to calls that race",
    run: async (cast) => {
      const call = shipment(await cast.harness.newItem(cast.tenant));
      const racers = Array.from({ length: 10 }, () => cast.store.request(cast.agent, call));
      const ids = (await Promise.all(racers)).map((outcome) => granted(outcome).id);
      expectEqual("requests", new Set(ids).size, 1);
    },
  },
  {
    title: "writes another request for other arguments, another actor or principal, pins or entry",
    run: async (cast) => {
      const { store, agent, colleague, deputy } = cast;
      const { view, call } = await ask(cast);
      const [others, pins] = [{ ...call.arguments, channel: "stable" }, { inputSchema: "new" }];
      const entryDigest = view.digest;
      const ids = [
        view.id,
        granted(await store.request(agent, { ...call, arguments: others })).id,
        granted(await store.request(agent, { ...call, toolPins: pins })).id,
        granted(await store.request(agent, { ...call, entryDigest })).id,
        granted(await store.request(colleague, call)).id,
        granted(await store.request(deputy, call)).id,
      ];
      expectEqual("requests", new Set(ids).size, ids.length);
    },
  },
  {
    title: "writes another request once the item has changed",
    run: async (cast) => {
      const { view, call, itemId } = await ask(cast);
      await cast.harness.touchItem(cast.tenant, itemId);
      const later = granted(await cast.store.request(cast.agent, call));
      expectEqual("another request", later.id !== view.id, true);
    },
  },
  {
    title: "refuses to preview an item of another tenant: item.not_found",
    run: async (cast) => {
      const { call } = await ask(cast);
      expectEqual("code", codeOf(await cast.store.request(cast.namesake, call)), "item.not_found");
    },
  },
  {
    title:
      "refuses one more request than may wait, and lets colleagues ask: consent.quota_exceeded",
    run: async (cast) => {
      const { store, agent, colleague, harness, tenant } = cast;
      for (let count = 0; count < harness.pendingQuota; count += 1) {
        // oxlint-disable-next-line no-await-in-loop -- the last one must find the others
        await ask(cast);
      }
      const call = shipment(await harness.newItem(tenant));
      expectEqual("code", codeOf(await store.request(agent, call)), "consent.quota_exceeded");
      expectEqual("colleague", codeOf(await store.request(colleague, call)), "ok");
    },
  },
  {
    title: "shows a request to its actor and the operators of its tenant alone: consent.not_found",
    run: async (cast) => {
      const { store, agent, operator, colleague, deputy, namesake, foreignOperator } = cast;
      const { view } = await ask(cast);
      for (const caller of [agent, operator]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as the list reads
        expectEqual("visible", granted(await store.find(caller, view.id)).id, view.id);
      }
      const unknown = await store.find(agent, UNKNOWN);
      for (const caller of [colleague, deputy, namesake, foreignOperator]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as the list reads
        expectEqual(
          "same answer",
          refusalIn(await store.find(caller, view.id)),
          refusalIn(unknown),
        );
      }
      expectEqual("code", codeOf(unknown), "consent.not_found");
    },
  },
];
