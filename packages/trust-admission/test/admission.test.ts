/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import { NOW } from "@eve/test-kit";
import {
  type Admission,
  AdmissionError,
  admitToolCall,
  isAdmission,
  requireAdmission,
} from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { hintsOf } from "@eve/test-kit";
import { admissionOf, goodCall, goodWorld, registryOf } from "./world.ts";

const genuine = admissionOf(goodWorld());
const forgeries: readonly (readonly [string, unknown])[] = [
  ["a spread copy", { ...genuine }],
  ["a structured clone", structuredClone({ ...genuine, tools: undefined })],
  ["an object that inherits from one", Object.create(genuine)],
  ["its JSON", JSON.parse(JSON.stringify(genuine))],
  ["a proxy of one", new Proxy(genuine, {})],
  [
    "an assigned copy",
    Object.assign(Object.create(Object.getPrototypeOf(genuine) as object) as object, genuine),
  ],
  ["an empty object", {}],
  ["null", null],
  ["undefined", undefined],
  ["a text", "admitted"],
  ["true", true],
];

describe("an admission", () => {
  it("made by admit() is one", () => {
    expect(isAdmission(genuine)).toBe(true);
    expect(requireAdmission(genuine)).toBe(genuine);
  });

  it.each(forgeries)("is not %s: admission.forged", (_title, forged) => {
    expect(isAdmission(forged)).toBe(false);
    expect(() => requireAdmission(forged)).toThrow(AdmissionError);
    expect(() => requireAdmission(forged)).toThrow(
      expect.objectContaining({ code: "admission.forged", name: "AdmissionError" }),
    );
    const verdict = admitToolCall(
      forged as Admission,
      registryOf(goodWorld()),
      goodCall("list_notes", hintsOf("read")),
      NOW,
    );
    expect(verdict).toMatchObject({ admitted: false, refusals: [{ code: "admission.forged" }] });
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(genuine)).toBe(true);
    expect(Object.isFrozen(genuine.transport)).toBe(true);
    expect(() => Object.assign(genuine, { integration: "memos" })).toThrow(TypeError);
    for (const tool of genuine.tools.values()) expect(Object.isFrozen(tool)).toBe(true);
  });

  it("admits no tool that a caller puts into the map it sees: call.tool_unpinned", () => {
    const admission = admissionOf(goodWorld());
    const [[, tool] = []] = admission.tools;
    // A ReadonlyMap is a Map at run time.
    if (!(admission.tools instanceof Map)) throw new TypeError("a map");
    admission.tools.set("admin_delete", tool);
    const call = goodCall("admin_delete", hintsOf("read"));
    expect(admitToolCall(admission, registryOf(goodWorld()), call, NOW)).toMatchObject({
      admitted: false,
      refusals: [{ code: "call.tool_unpinned" }],
    });
  });

  it("keeps the transport that was observed, whatever becomes of the observation", () => {
    const args = ["dist/main.js", "--quiet"];
    const world = goodWorld();
    const { transport } = world.observation;
    if (transport.value.type !== "stdio") throw new TypeError("stdio");
    const admission = admissionOf({
      ...world,
      observation: {
        ...world.observation,
        transport: { how: "measured", value: { ...transport.value, args } },
      },
    });
    args.push("--unsafe");
    expect(admission.transport).toMatchObject({ args: ["dist/main.js", "--quiet"] });
  });

  it("is never part of a refusal", () => {
    const verdict = admitToolCall(
      genuine,
      registryOf(goodWorld()),
      goodCall("admin_delete", {}),
      NOW,
    );
    expect(Object.keys(verdict).toSorted()).toEqual(["admitted", "refusals"]);
  });
});
