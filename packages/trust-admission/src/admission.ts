import type { JsonObject, Sha256 } from "@eve/canonical-json";
import type { EntryTool } from "@eve/registry-schema";
import type { TransportObservation } from "./observation.ts";

declare const admissionBrand: unique symbol;

/**
 * Proof that admit() let this integration in, in this protocol version, over this transport. Serving, forwarding or
 * registering takes one as an argument; one that admit() did not make is refused at run time.
 */
export interface Admission {
  readonly [admissionBrand]: "Admission";
  readonly integration: string;
  /** The one protocol version it serves. */
  readonly protocolVersion: string;
  /** The entry it rests on, without dates: see entryDigest. */
  readonly entryDigest: Sha256;
  readonly transport: TransportObservation;
  readonly tools: ReadonlyMap<string, EntryTool>;
  /** The parts of the observation that were measured here, and those that somebody else attested. */
  readonly measured: readonly string[];
  readonly attested: readonly string[];
}

/** Thrown where an admission is demanded and the value is not one. */
export class AdmissionError extends Error {
  override readonly name = "AdmissionError";
  readonly code = "admission.forged";
  constructor() {
    super(
      "admission.forged: the value was not made by admit(). Pass on the Admission that admit() returned.",
    );
  }
}

/** A tool as it was reviewed and as the admitted server defines it: both have the same pins. */
export interface PinnedTool {
  readonly entry: EntryTool;
  /** The raw tool object that was measured, a copy of its own. */
  readonly definition: JsonObject;
}

/** Every admission that was made, with its tools: a caller that changes the map it sees changes no decision. */
const made = new WeakMap<object, ReadonlyMap<string, PinnedTool>>();

/**
 * For admit() only: this module's exports are not re-exported by the package. `definitions` are the measured tools,
 * whose pins were found equal to those of `fields.tools`.
 */
export function makeAdmission(
  fields: Omit<Admission, typeof admissionBrand>,
  definitions: readonly JsonObject[],
): Admission {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that gives the brand
  const admission = Object.freeze({ ...fields }) as Admission;
  made.set(admission, new Map(pinnedTools(fields.tools, definitions)));
  return admission;
}

function pinnedTools(
  tools: Admission["tools"],
  definitions: readonly JsonObject[],
): readonly (readonly [string, PinnedTool])[] {
  return [...tools].map(([name, entry]) => {
    const definition = definitions.find((each) => each["name"] === name);
    if (definition === undefined) throw new TypeError("an admitted tool was measured");
    return [name, Object.freeze({ entry, definition: structuredClone(definition) })];
  });
}

/** Whether admit() made this very object. A copy or a structured clone is not it. */
export function isAdmission(value: unknown): value is Admission {
  return typeof value === "object" && value !== null && made.has(value);
}

/** The pinned tool of that name; `undefined` where the admission has none, or was not made by admit(). */
export function pinnedTool(admission: Admission, name: string): PinnedTool | undefined {
  return made.get(admission)?.get(name);
}

/** Answers the admission, or throws AdmissionError `admission.forged`. */
export function requireAdmission(value: unknown): Admission {
  if (!isAdmission(value)) throw new AdmissionError();
  return value;
}
