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
 * The environment PostgreSQL runs in: the caller's, so that a clock faked for the caller is faked for the database
 * too, less the runtime flags and less libpq's variables (`PG…`), which would point it elsewhere. Its locale is C.
 */
export function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const inherited = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || RUNTIME_FLAGS.has(name) || /^(PG|LC_)|^LANG/.test(name)
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(inherited), LC_ALL: "C" };
}
