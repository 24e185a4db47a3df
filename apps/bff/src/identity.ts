/** The registry entry that every tool call is judged by. */
export const INTEGRATION = "oshun-workbench";

/** The version that the command line tells. */
export const BFF_VERSION = "1.0.0";
