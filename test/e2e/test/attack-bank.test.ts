import { fileURLToPath } from "node:url";
import { isRefusalCode } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";
import { ATTACK_CASES } from "../src/attack-cases.ts";
import { idsIn, readAttackCitations } from "../src/attack-citations.ts";
import { ATTACK_CLASSES, classOf } from "../src/attack-classes.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const cases = Object.entries(ATTACK_CASES);
const { files, cited } = readAttackCitations(root);

describe("the list of hostile inputs", () => {
  test("has the inputs of every class", () => {
    expect(cases.length).toBeGreaterThan(200);
    expect([...new Set(cases.map(([id]) => classOf(id)))].toSorted()).toEqual(
      Object.keys(ATTACK_CLASSES).toSorted(),
    );
  });

  test("states outcomes that there are: codes of the catalogue, HTTP statuses, accepted, deferred", () => {
    const odd = cases.flatMap(([id, outcomes]) =>
      outcomes
        .filter(
          (outcome) =>
            !isRefusalCode(outcome) && !/^(HTTP [45]\d\d|accepted|deferred)$/.test(outcome),
        )
        .map((outcome) => `${id}: ${outcome}`),
    );
    expect(odd).toEqual([]);
  });

  test("states no outcome without a test that has the id in its title", () => {
    expect(files).toBeGreaterThan(100);
    const stated = cases.filter(([, outcomes]) => outcomes.some((one) => one !== "deferred"));
    expect(stated.length).toBeGreaterThan(100);
    expect(stated.flatMap(([id]) => (cited.has(id) ? [] : [id]))).toEqual([]);
  });

  test("defers only what needs a signed registry", () => {
    const deferred = cases.flatMap(([id, outcomes]) => (outcomes.includes("deferred") ? [id] : []));
    expect(deferred).toEqual(["RR-01", "RR-02", "RR-04", "RR-05", "RR-07", "RR-08"]);
  });

  test("has every input of registry files covered", () => {
    const open = cases.flatMap(([id, outcomes]) =>
      id.startsWith("R") && outcomes.length === 0 ? [id] : [],
    );
    expect(open).toEqual([]);
  });

  test("has each id that a title cites", () => {
    const unknown = [...cited.keys()].filter(
      (id) => classOf(id) in ATTACK_CLASSES && !(id in ATTACK_CASES),
    );
    expect(unknown).toEqual([]);
  });
});

describe("ids in a text", () => {
  test("are told once each, and not as the end of a longer id", () => {
    expect(idsIn("RB-01, (RB-02) RB-01: MUST-RS-01 ADR-0092-101 RB-100")).toEqual([
      "RB-01",
      "RB-02",
    ]);
  });
});
