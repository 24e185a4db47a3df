/** Arrays and objects inside each other that any value here may have, so that what was parsed can be written. */
export const MAX_DEPTH = 1024;
