import type { Refusal } from "@eve/registry-schema";
import type { SourceObservation } from "../observation.ts";
import { printableText } from "../printable.ts";
import { no, type Rung, type StandingCase } from "../rung.ts";

const provenance: Rung<StandingCase> = {
  name: "provenance",
  judge: ({ entry, observation }) => {
    const mayBeAttested = entry.transport.type !== "stdio";
    const parts = ["source", "version", "transport"] as const;
    return parts.flatMap((part) => {
      const { how } = observation[part];
      if (how === "measured" || (mayBeAttested && how === "attested")) return [];
      return no(
        entry,
        "source.unmeasured",
        part,
        "measured",
        how === "attested" ? how : "neither measured nor attested",
      );
    });
  },
};

const source: Rung<StandingCase> = {
  name: "source",
  judge: ({ entry, observation }) => {
    const live = observation.source.value;
    const changed = (field: string, expected: string, actual: string): readonly Refusal[] =>
      expected === actual
        ? []
        : no(entry, "source.changed", `source.${field}`, expected, printableText(actual));
    if (entry.origin === "first-party")
      return live.origin === "first-party"
        ? changed("sha256", entry.source.sha256, live.sha256)
        : changed("origin", entry.origin, live.origin);
    if (live.origin !== "third-party") return changed("origin", entry.origin, live.origin);
    return (["package", "integrity", "sha256"] as const).flatMap((field) =>
      changed(field, entry.source[field], live[field]),
    );
  },
};

const artifact: Rung<StandingCase> = {
  name: "artifact",
  judge: ({ entry, observation }) => {
    if (entry.origin !== "first-party") return [];
    const reviewed = new Map(entry.source.artifacts.map(({ path, sha256 }) => [path, sha256]));
    const running = new Map(
      artifactsOf(observation.source.value).map(({ path, sha256 }) => [path, sha256]),
    );
    const paths = [...new Set([...reviewed.keys(), ...running.keys()])];
    const measured = artifactsOf(observation.source.value);
    if (measured.length !== running.size)
      return no(
        entry,
        "artifact.changed",
        "source.artifacts",
        "each artifact once",
        `${measured.length} artifacts of ${running.size} paths`,
      );
    return paths.flatMap((path) => {
      const [expected, actual] = [
        reviewed.get(path) ?? "no such artifact",
        running.get(path) ?? "not measured",
      ];
      return expected === actual
        ? []
        : no(
            entry,
            "artifact.changed",
            `source.artifacts ${printableText(path)}`,
            expected,
            printableText(actual),
          );
    });
  },
};

function artifactsOf(
  live: SourceObservation,
): readonly { readonly path: string; readonly sha256: string }[] {
  return live.origin === "first-party" ? live.artifacts : [];
}

const version: Rung<StandingCase> = {
  name: "version",
  judge: ({ entry, observation }) => {
    const expected = entry.source.version;
    const actual = observation.version.value;
    return expected === actual
      ? []
      : no(entry, "source.version_changed", "source.version", expected, printableText(actual));
  },
};

const transport: Rung<StandingCase> = {
  name: "transport",
  judge: ({ entry, observation }) => {
    const reviewed: Readonly<Record<string, unknown>> = { ...entry.transport };
    const live: Readonly<Record<string, unknown>> = { ...observation.transport.value };
    const fields = [...new Set([...Object.keys(reviewed), ...Object.keys(live)])];
    return fields.flatMap((field) => {
      const [expected, actual] = [show(field, reviewed[field]), show(field, live[field])];
      return expected === actual
        ? []
        : no(
            entry,
            "transport.changed",
            `transport.${printableText(field)}`,
            expected,
            printableText(actual),
          );
    });
  },
};

/** Arguments compare in order, environment names as a set. */
function show(field: string, value: unknown): string {
  if (value === undefined) return "absent";
  return JSON.stringify(field === "env" && Array.isArray(value) ? value.toSorted(byName) : value);
}

function byName(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1;
}

/** The rungs that judge what runs on this machine, before any client speaks. */
export const STANDING_RUNGS: readonly Rung<StandingCase>[] = [
  provenance,
  source,
  artifact,
  version,
  transport,
];
