import { sha256 } from "@eve/canonical-json";
import { assembleDocument, parseRegistry, type RegistryRecord } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { changedDocument, type CopyChanges } from "../src/changed-copy.ts";
import { objectsAt } from "../src/json-members.ts";
import { WORKBENCH } from "../src/local-workbench.ts";
import { withChangedPin } from "../src/steps/changed-pin.ts";
import { withExpiredHealth } from "../src/steps/expired.ts";
import { renamed } from "../src/steps/unknown-server.ts";
import { committed, localSample, NOW } from "./samples.ts";

const document = assembleDocument(committed().manifest, [localSample().entry]);

function changed(changes: CopyChanges): {
  readonly record: (id: string) => RegistryRecord | undefined;
  readonly codes: (id: string) => readonly string[];
} {
  const result = parseRegistry(Buffer.from(JSON.stringify(changedDocument(document, changes))));
  if (!result.ok) throw new Error(result.refusals[0].code);
  const { registry } = result;
  return {
    record: (id) => registry.integrations.get(id),
    codes: (id) => judgeGovernance(registry, id, NOW).map(({ code }) => code),
  };
}

describe("changedDocument", () => {
  it("answers the same document where nothing changes", () => {
    expect(changedDocument(document, {})).toEqual(document);
  });

  it("digests a changed program again, and changes nothing else", () => {
    const program = Buffer.from("another program");
    const [before] = objectsAt(document, "integrations");
    const [after] = objectsAt(changedDocument(document, { program }), "integrations");
    expect(after?.["source"]).toMatchObject({
      artifacts: [{ path: "dist/main.js", sha256: sha256(program) }],
    });
    expect({ ...after, source: null }).toEqual({ ...before, source: null });
  });

  it("leaves a registry with an expired health valid: health.expired", () => {
    expect(changed({ entry: (entry) => withExpiredHealth(entry, NOW) }).codes(WORKBENCH)).toEqual([
      "health.expired",
    ]);
  });

  it("leaves a registry with a changed pin valid, and governance content: the surface decides", () => {
    const { codes, record } = changed({ entry: withChangedPin });
    expect(codes(WORKBENCH)).toEqual([]);
    expect(record(WORKBENCH)?.status).toBe("complete");
  });

  it("leaves a registry that names another server valid and not empty: entry.absent", () => {
    const { codes, record } = changed({ entry: (entry) => renamed(entry, "another") });
    expect(codes(WORKBENCH)).toEqual(["entry.absent"]);
    expect(record("another")?.status).toBe("complete");
  });
});
