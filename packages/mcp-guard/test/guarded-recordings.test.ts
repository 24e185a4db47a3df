import { join } from "node:path";
import { missingNote, runsAgainst, sharedFolder } from "@eve/config/shared-folder";
import { goodDocument, goodObservation } from "@eve/test-kit";
import { parseRegistry } from "@eve/registry-schema";
import { describe, expect, it, vi } from "vitest";
import { connectStdio, observeStdioServer } from "../src/index.ts";
import { asReviewed, guarded, listed, outcome } from "./guard-kit.ts";
import { request, seen, server } from "./kit.ts";

const folder = sharedFolder("fixtures", "surfaces");
const replay = sharedFolder("fixtures", "replay.mjs");
const VERSION = "2025-11-25";

// Not part of the repository: where the folder is missing the title says so, and under CI that is a failure.
describe.runIf(runsAgainst(folder))(
  `recorded surfaces of public servers in the middle of a session${missingNote(folder)}`,
  () => {
    it("the next release in place of the reviewed one is found and no more called (SN-16, D14): surface.definition_drift", async () => {
      const files = ["@playwright+mcp@0.0.80.jsonl", "@playwright+mcp@0.0.81.jsonl"];
      const [first, second] = files.map((file) => join(folder, file));
      const entry = asReviewed(
        seen(
          await observeStdioServer(
            server("", { args: [replay, first ?? ""] }),
            request({ protocolVersion: VERSION }),
          ),
        ).surface,
      );
      const { bytes } = goodDocument({ entries: [entry], gates: "met" });
      const { source, transport, version } = goodObservation(VERSION, { origin: "third-party" });
      const connect = connectStdio(server("", { args: [replay, first ?? "", second ?? ""] }));
      const { session } = guarded(connect, () => [], {
        integration: "other-notes",
        protocolVersion: VERSION,
        clientCapabilities: {},
        standing: () => Promise.resolve({ integration: "other-notes", source, transport, version }),
        registry: () => parseRegistry(bytes),
      });
      const { generation, surface } = await listed(session);
      expect(surface.tools.length).toBeGreaterThan(10);
      await vi.waitFor(() => expect(session.generation()).toBe(generation + 1));
      expect(outcome(await session.list())).toMatch(/^surface\.\w+_drift/);
      await session.close();
    });
  },
);
