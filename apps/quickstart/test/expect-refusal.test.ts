import { refusal } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";
import type { Connection } from "../src/connect.ts";
import { provoked, requireFirst, requireRefusedStart } from "../src/expect-refusal.ts";

const place = { subject: "health.expiresAt", expected: "later", actual: "earlier" };
const refusals = [refusal("health.expired", place), refusal("review.expired", place)];
const line = JSON.stringify({
  event: "eve.refused",
  integration: "oshun-workbench",
  code: "health.expired",
  refusals,
});
const good: Connection = {
  served: false,
  exit: 78,
  stderr: `${line}\noshun-workbench is refused.\n`,
  error: { message: "MCP error -31133: health.expired: …", code: "health.expired" },
};

describe("requireRefusedStart", () => {
  it("answers what the line on stderr tells, in order", () => {
    expect(requireRefusedStart(good, "health.expired").map(({ code }) => code)).toEqual([
      "health.expired",
      "review.expired",
    ]);
  });

  it("finds the line behind what a runtime wrote before it", () => {
    expect(
      requireRefusedStart(
        { ...good, stderr: `(node:1) a warning\n{}\n${good.stderr}` },
        "health.expired",
      ),
    ).toHaveLength(2);
  });

  it.each<[string, Connection, RegExp]>([
    ["a program that served", { served: true, tools: [], instructions: undefined }, /admitted/],
    ["another exit code", { ...good, exit: 1 }, /exit 78; found 1/],
    ["no exit code", { ...good, exit: null }, /exit 78; found no exit code/],
    [
      "an error without the code",
      { ...good, error: { message: "Connection closed", code: undefined } },
      /client's error; found: Connection closed/,
    ],
    [
      "an error that names the code in its data alone",
      { ...good, error: { message: "refused", code: "health.expired" } },
      /client's error/,
    ],
    ["nothing on stderr", { ...good, stderr: "" }, /found nothing/],
    ["prose alone on stderr", { ...good, stderr: "health.expired\n" }, /first on stderr/],
    [
      "another code first",
      {
        ...good,
        stderr: JSON.stringify({ event: "eve.refused", refusals: refusals.toReversed() }),
      },
      /found review.expired/,
    ],
  ])("does not take %s for the refusal", (_, connection, why) => {
    expect(() => requireRefusedStart(connection, "health.expired")).toThrow(why);
  });
});

describe("requireFirst", () => {
  it("answers the first refusal of the code asked for", () => {
    expect(requireFirst(refusals, "health.expired")).toBe(refusals[0]);
  });

  it("does not take an admission, or another code before it", () => {
    expect(() => requireFirst([], "health.expired")).toThrow(/an admission/);
    expect(() => requireFirst(refusals, "review.expired")).toThrow(/found health.expired/);
  });
});

describe("provoked", () => {
  it("has the words of the catalogue", () => {
    const { code, title, remedy } = refusal("entry.absent", place);
    expect(provoked("entry.absent", "now")).toEqual({
      when: "now",
      refusal: { code, title, remedy },
    });
    expect(provoked("entry.absent")).toEqual({ refusal: { code, title, remedy } });
  });
});
