import { printableProtocol } from "../printable.ts";
import { no, type Rung, type SurfaceCase } from "../rung.ts";

/** Refuses a negotiated version the entry does not list. What follows needs that version's pins, so the ladder ends here. */
export const protocol: Rung<SurfaceCase> = {
  name: "protocol",
  judge: ({ entry, observation }) => {
    const { protocolVersion } = observation.surface.value;
    const admitted: readonly string[] = entry.protocol.versions;
    if (admitted.includes(protocolVersion)) return [];
    return no(
      entry,
      "protocol.version_unadmitted",
      "protocol.versions",
      admitted.join(", "),
      printableProtocol(protocolVersion),
    );
  },
};
