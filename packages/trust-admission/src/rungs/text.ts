import type { Rung, SurfaceCase } from "../rung.ts";
import { judgeText } from "../text/judge-text.ts";

/** Text that hides something is served only where a review names the field and the code points. */
export const text: Rung<SurfaceCase> = {
  name: "text",
  judge: ({ entry, observation }) =>
    judgeText(entry.id, observation.surface.value, entry.textExceptions ?? []),
};
