/** The entry of the registry that this program is admitted by. */
export const INTEGRATION = "oshun-workbench";

/** This program's version; a test holds it equal to package.json, and the gate to the entry's source.version. */
export const WORKBENCH_VERSION = "1.0.0";

/** Environment variable of the workbench's origin. */
export const URL_VARIABLE = "OSHUN_WORKBENCH_URL";

/** Environment variable of the workbench's bearer. */
export const TOKEN_VARIABLE = "OSHUN_WORKBENCH_TOKEN";
