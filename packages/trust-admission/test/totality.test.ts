/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import {
  admit,
  admitToolCall,
  judgeGovernance,
  judgeStanding,
  type ToolCall,
} from "@eve/trust-admission";
import { hintsOf, leavesOf, NOW } from "@eve/test-kit";
import type { Registry } from "@eve/registry-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admissionOf, asJson, goodCall, goodWorld, observed, registryOf } from "./world.ts";

const WORLD = goodWorld();
const REGISTRY = registryOf(WORLD);
const ADMISSION = admissionOf(WORLD);

/** What a getter or a trap may throw: also things that throw again when they are looked at. */
const thrown: readonly unknown[] = [
  new Error("live text"),
  "live text",
  undefined,
  Object.defineProperty(new Error("x"), "name", {
    get: () => {
      throw new Error("again");
    },
  }),
  new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error("again");
      },
    },
  ),
];

/** An object whose every trap throws, and one whose members throw when read. */
function hostile(error: unknown): readonly unknown[] {
  const fail = (): never => {
    throw error;
  };
  return [
    new Proxy(
      {},
      { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail },
    ),
    new Proxy(() => undefined, { get: fail, apply: fail }),
    Object.defineProperties(
      {},
      Object.fromEntries(
        ["integration", "surface", "source", "value", "how", "length", "name", "toString"].map(
          (key) => [key, { get: fail, enumerable: true }],
        ),
      ),
    ),
    { toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail, [Symbol.iterator]: fail },
  ];
}
const HOSTILE = thrown.flatMap(hostile);
/** A value behind a function: fast-check looks into the values it makes, and these do not stand it. */
type Garbage = () => unknown;
const garbage: fc.Arbitrary<Garbage> = fc.oneof(
  fc
    .anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withTypedArray: true,
      withSparseArray: true,
    })
    .map((value) => () => value),
  fc.nat({ max: HOSTILE.length - 1 }).map((i) => () => HOSTILE[i]),
);

/** A place of the good observation, scalar or not. */
const anyPath = fc
  .constantFrom(...leavesOf(asJson(WORLD.observation)).map(({ path }) => path))
  .chain((path) => fc.nat({ max: path.length - 1 }).map((depth) => path.slice(0, depth + 1)));

/** The good observation with garbage somewhere inside; unlike withChange it takes what is not JSON. */
function planted(path: readonly (string | number)[], value: unknown): unknown {
  const copy: unknown = structuredClone(WORLD.observation);
  const last = path.at(-1) ?? "integration";
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], copy);
  (parent as Record<string | number, unknown>)[last] = value;
  return copy;
}

describe("never throws and never admits", () => {
  it("garbage in place of an observation", () => {
    fc.assert(
      fc.property(garbage, (make) => {
        const value = make();
        expect(admit(REGISTRY, observed(value), NOW).admitted).toBe(false);
        expect(judgeStanding(REGISTRY, observed(value), NOW).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("hostile objects, each of them", () => {
    for (const value of HOSTILE) {
      expect(admit(REGISTRY, observed(value), NOW)).toMatchObject({ admitted: false });
      expect(admit(value as Registry, WORLD.observation, NOW)).toMatchObject({ admitted: false });
      expect(judgeGovernance(value as Registry, "notes", NOW).length).toBeGreaterThan(0);
      expect(judgeGovernance(REGISTRY, value as string, NOW).length).toBeGreaterThan(0);
      expect(admit(REGISTRY, WORLD.observation, value as number)).toMatchObject({
        admitted: false,
      });
      expect(admitToolCall(ADMISSION, REGISTRY, value as ToolCall, NOW)).toMatchObject({
        admitted: false,
      });
      expect(
        admitToolCall(ADMISSION, value as Registry, goodCall("list_notes", hintsOf("read")), NOW),
      ).toMatchObject({ admitted: false });
    }
  });

  it("garbage in place of a registry", () => {
    fc.assert(
      fc.property(garbage, (make) => {
        expect(admit(make() as Registry, WORLD.observation, NOW).admitted).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("garbage in place of a clock", () => {
    fc.assert(
      fc.property(garbage, (make) => {
        fc.pre(!Number.isSafeInteger(make()));
        expect(admit(REGISTRY, WORLD.observation, make() as number).admitted).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("garbage in place of a call", () => {
    fc.assert(
      fc.property(garbage, (make) => {
        const value = make();
        expect(admitToolCall(ADMISSION, REGISTRY, value as ToolCall, NOW).admitted).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("an observation with garbage anywhere inside, as long as it differs", () => {
    fc.assert(
      fc.property(anyPath, garbage, (path, make) => {
        fc.pre(path.join(".") !== "surface.how" && !isSame(path, make()));
        expect(admit(REGISTRY, observed(planted(path, make())), NOW).admitted).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("refusals with text that what was thrown carries", () => {
    for (const value of HOSTILE)
      expect(JSON.stringify(admit(REGISTRY, observed(value), NOW))).not.toContain("live text");
  });
});

/** Whether garbage happens to be what is there; what cannot be looked at is not. */
function isSame(path: readonly (string | number)[], value: unknown): boolean {
  const good = path.reduce<unknown>(
    (at, key) => (at as Record<string | number, unknown>)[key],
    WORLD.observation,
  );
  try {
    return JSON.stringify(good) === JSON.stringify(value);
  } catch {
    return false;
  }
}
