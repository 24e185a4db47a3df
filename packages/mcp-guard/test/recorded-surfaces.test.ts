import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { memberOf, observeStdioServer } from "../src/index.ts";
import { actualOf, codeOf, request, seen, server } from "./kit.ts";
import { runsAgainst, sharedFolder, missingNote } from "@eve/config/shared-folder";

const folder = sharedFolder("fixtures", "surfaces");
const replay = sharedFolder("fixtures", "replay.mjs");

interface Recording {
  readonly file: string;
  readonly version: string;
  readonly counts: Readonly<Record<string, number | undefined>>;
}

function recordings(): readonly Recording[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  return files.map((file) => {
    const results = resultsOf(readFileSync(join(folder, file), "utf8"));
    const count = (member: string): number | undefined => {
      const lists = results
        .map((result) => memberOf(result, member))
        .filter((list) => Array.isArray(list));
      return lists.length === 0 ? undefined : lists.flat().length;
    };
    return {
      file,
      version: results.map(versionOf).find((version) => version !== "") ?? "",
      counts: {
        tools: count("tools"),
        prompts: count("prompts"),
        resources: count("resources"),
        resourceTemplates: count("resourceTemplates"),
      },
    };
  });
}

function versionOf(result: JsonObject): string {
  const version = memberOf(result, "protocolVersion");
  return typeof version === "string" ? version : "";
}

function resultsOf(recording: string): readonly JsonObject[] {
  const messages = recording
    .split("\n")
    .filter(Boolean)
    .map((line): JsonValue => JSON.parse(line));
  return messages
    .filter(isJsonObject)
    .map((message) => memberOf(message, "result"))
    .filter(isJsonObject);
}

if (!runsAgainst(folder)) console.warn(`The recorded surfaces were not run: no folder ${folder}`);

// Not part of the repository: where the folder is missing the title says so, and under CI that is a failure.
describe.runIf(runsAgainst(folder))(
  `recorded surfaces of public servers${missingNote(folder)}`,
  () => {
    const all = runsAgainst(folder) ? recordings() : [];
    const current = all.filter(({ version }) => version === "2025-11-25");
    const older = all.filter(({ version }) => version !== "2025-11-25");

    it("are there, of this version and of older ones", () => {
      expect(current.length).toBeGreaterThanOrEqual(15);
      expect(older.length).toBeGreaterThanOrEqual(2);
    });

    it.concurrent.each(current)("$file is observed whole", async ({ file, counts }) => {
      const { surface } = seen(
        await observeStdioServer(server("", { args: [replay, join(folder, file)] }), request()),
      );
      const { tools, prompts, resources, resourceTemplates } = surface;
      expect({
        tools: tools.length,
        prompts: prompts?.length,
        resources: resources?.length,
        resourceTemplates: resourceTemplates?.length,
      }).toEqual(counts);
    });

    it.concurrent.each(older)(
      "$file speaks $version: protocol.version_unadmitted",
      async ({ file, version }) => {
        const launch = server("", { args: [replay, join(folder, file)] });
        const observed = await observeStdioServer(launch, request());
        expect(codeOf(observed)).toBe("protocol.version_unadmitted");
        expect(actualOf(observed)).toBe(version);
        expect(
          codeOf(await observeStdioServer(launch, request({ protocolVersion: version }))),
        ).toBe("ok");
      },
    );
  },
);
