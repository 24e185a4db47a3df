import type { Rung, SurfaceCase } from "../rung.ts";
import { judgeSchemas } from "../schema/judge-schemas.ts";

/** Reviewed or not, what would make a client fetch, loop or hang is not served. */
export const schemas: Rung<SurfaceCase> = {
  name: "schemas",
  judge: ({ entry, observation }) => judgeSchemas(entry.id, observation.surface.value),
};
