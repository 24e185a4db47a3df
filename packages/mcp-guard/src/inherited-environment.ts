/** Variables that make Node run other code or trust other servers: no child of ours gets them. */
const RUNTIME_FLAGS: ReadonlySet<string> = new Set([
  "NODE_OPTIONS",
  "NODE_COMPILE_CACHE",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_V8_COVERAGE",
  "NODE_PATH",
  "OPENSSL_CONF",
  "NODE_USE_ENV_PROXY",
]);

/**
 * The caller's environment less the runtime flags, for a child of our own: its clock, time zone and home are the
 * caller's. A third party's server gets only the names of its entry instead.
 */
export function inheritedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || RUNTIME_FLAGS.has(name) ? [] : [[name, value]],
    ),
  );
}
