import type { JsonObject } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { changedCopy } from "../changed-copy.ts";
import { connect } from "../connect.ts";
import { provoked, requireRefusedStart } from "../expect-refusal.ts";
import type { Step } from "../step.ts";
import type { Admitted } from "./admit-workbench.ts";

/** A change of the registry beside the program, and the code that must come first. */
export interface RefusedCopy {
  readonly id: string;
  readonly doing: string;
  readonly headline: string;
  readonly code: RefusalCode;
  /** The admitted entry changed; `now` is epoch ms. */
  readonly entry: (entry: JsonObject, now: number) => JsonObject;
}

/** The step that starts the same program beside a registry with one thing changed, and is refused. */
export function refusedCopy({ id, doing, headline, code, entry }: RefusedCopy): Step<Admitted> {
  return {
    id,
    doing,
    run: async ({ context, local }) => {
      const launch = changedCopy(local, id, { entry: (raw) => entry(raw, context.now) }, context);
      requireRefusedStart(await connect(launch, context.signal), code);
      return { headline, refusals: [provoked(code)] };
    },
  };
}
