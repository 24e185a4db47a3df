/**
 * Variables that make Node run other code, trust other servers or write elsewhere: no child of ours gets them. Those
 * that act before any program (LD_PRELOAD and its like) are the caller's own; a faked clock comes that way too.
 */
const RUNTIME_FLAG = /^(NODE_.*|OPENSSL_.*|LD_AUDIT)$/i;

/**
 * The caller's environment less the runtime flags and the names in `without`, for a child of our own: its clock, time
 * zone and home are the caller's. A third party's server gets only the names of its entry instead.
 */
export function inheritedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  without: readonly string[] = [],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || RUNTIME_FLAG.test(name) || without.includes(name)
        ? []
        : [[name, value]],
    ),
  );
}
