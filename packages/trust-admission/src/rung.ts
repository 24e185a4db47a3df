import type { Entry, Refusal, RefusalCode, Registry } from "@eve/registry-schema";
import { refusal } from "@eve/registry-schema";
import type { Observation, Standing } from "./observation.ts";
import type { SurfacePins } from "./pins.ts";

/** What a rung of governance judges: the entry against the registry and the clock. */
export interface Governance {
  readonly registry: Registry;
  readonly entry: Entry;
  /** Epoch ms. */
  readonly now: number;
}

/** What a rung of standing judges: governance and what runs on this machine. */
export interface StandingCase extends Governance {
  readonly observation: Standing;
}

/** What a rung of the surface judges. */
export interface SurfaceCase extends Governance {
  readonly observation: Observation;
  readonly pins: SurfacePins;
}

/** A rung answers why it refuses, or nothing. It never grants. */
export interface Rung<Case> {
  readonly name: string;
  readonly judge: (on: Case) => readonly Refusal[];
}

/** A single refusal by a rung, about one field or tool of the entry. */
export function no(
  entry: Entry,
  code: RefusalCode,
  subject: string,
  expected: string,
  actual: string,
): readonly [Refusal] {
  return [refusal(code, { integration: entry.id, subject, expected, actual })];
}
