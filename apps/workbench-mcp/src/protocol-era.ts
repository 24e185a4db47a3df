/** The protocol eras the SDK tells a factory of. */
export type Era = "legacy" | "modern";

/** The one protocol version served in each era. */
export const ERA_VERSION: Readonly<Record<Era, string>> = {
  legacy: "2025-11-25",
  modern: "2026-07-28",
};
