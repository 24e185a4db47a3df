import { parseJson } from "@eve/canonical-json";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { RISK_CLASSES } from "@eve/registry-schema";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { INTEGRATION } from "./identity.ts";
import { type RiskClasses, buildServer } from "./server-factory.ts";
import { TOOLS } from "./tools/index.ts";

/** As much of a registry as a surface depends on; the entry need not be complete yet, for its pins come from here. */
const shape = z.looseObject({
  integrations: z.array(
    z.looseObject({
      id: z.string(),
      tools: z.array(z.looseObject({ name: z.string(), riskClass: z.enum(RISK_CLASSES) })),
    }),
  ),
});

function readRiskClasses(path: string): RiskClasses | undefined {
  const read = readRegularFileSync(path, { followsLinks: true });
  const parsed = "bytes" in read ? parseJson(read.bytes, { profile: "registry" }) : undefined;
  const document = shape.safeParse(parsed?.ok ? parsed.value : undefined);
  const entry = document.data?.integrations.find(({ id }) => id === INTEGRATION);
  return entry && new Map(entry.tools.map(({ name, riskClass }) => [name, riskClass]));
}

/** Shows the surface that `main.js` would show under a registry, and nothing else: no handlers, credential or network. */
function main(args: readonly string[]): void {
  const [path, ...rest] = args;
  const riskClasses = path !== undefined && rest.length === 0 ? readRiskClasses(path) : undefined;
  if (riskClasses) serveStdio(() => buildServer({ tools: TOOLS, riskClasses, handler: undefined }));
  else process.exitCode = usage();
}

function usage(): number {
  process.stderr.write(
    `usage: node surface-server.js <registry.json with an entry ${INTEGRATION}>\n`,
  );
  return 64;
}

try {
  main(process.argv.slice(2));
} catch {
  process.exitCode = usage();
}
