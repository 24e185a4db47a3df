import { describe, expect, it } from "vitest";
import { runChapter } from "../src/run-steps.ts";
import type { Shown, Step } from "../src/step.ts";
import { StepError } from "../src/step-error.ts";

const listener = { begin: (): void => {}, end: (): void => {} };
const holds = <In>(id: string): Step<In> => ({
  id,
  doing: id,
  run: () => Promise.resolve({ headline: id }),
});
const fails = <In>(id: string): Step<In> => ({
  id,
  doing: id,
  run: () => Promise.reject(new StepError(`${id} did not hold`)),
});
const throws = <In>(id: string): Step<In> => ({
  id,
  doing: id,
  run: () => {
    throw new TypeError("at once");
  },
});

const outcomes = async (
  first: Step<string>,
  others: readonly Step<Shown>[],
): Promise<readonly (readonly [string, boolean])[]> =>
  (await runChapter(first, others, "in", listener)).results.map(({ id, ok }) => [id, ok] as const);

describe("runChapter", () => {
  it("runs all steps in order, the others on what the first showed", async () => {
    const seen: string[] = [];
    const note: Step<Shown> = {
      id: "note",
      doing: "note",
      run: ({ headline }) => {
        seen.push(headline);
        return Promise.resolve({ headline: "noted" });
      },
    };
    expect(await outcomes(holds("first"), [note, note])).toEqual([
      ["first", true],
      ["note", true],
      ["note", true],
    ]);
    expect(seen).toEqual(["first", "first"]);
  });

  it("goes on after a step that did not hold", async () => {
    expect(await outcomes(holds("a"), [fails("b"), holds("c")])).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
    ]);
  });

  it("runs nothing after a first step that did not hold", async () => {
    expect(await outcomes(fails("a"), [holds("b")])).toEqual([["a", false]]);
  });

  it("takes a step that throws at once as one that did not hold", async () => {
    expect(await outcomes(holds("a"), [throws("b")])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  it("tells the listener of each beginning and each end", async () => {
    const heard: string[] = [];
    await runChapter(holds("a"), [fails<Shown>("b")], "in", {
      begin: (doing) => void heard.push(`… ${doing}`),
      end: ({ id, ok }) => void heard.push(`${id} ${ok}`),
    });
    expect(heard).toEqual(["… a", "a true", "… b", "b false"]);
  });
});
