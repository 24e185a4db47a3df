import { judgeLinks } from "../links/judge-links.ts";
import type { Rung, SurfaceCase } from "../rung.ts";

/** Reviewed or not, an address that a client would run, or an icon that is no plain image, is not served. */
export const links: Rung<SurfaceCase> = {
  name: "links",
  judge: ({ entry, observation }) => judgeLinks(entry.id, observation.surface.value),
};
