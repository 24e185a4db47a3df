import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import type { JsonObject } from "@eve/canonical-json";
import { bytesOf } from "@eve/test-kit";
import { protectedScript } from "./protected-script.ts";
import { buildApp, put, unreviewedWorkspace } from "./scratch.ts";

/** The entry's file, from the workspace. */
export const DRAFT = "registry/integrations/echo.json";
const APP = "apps/echo";

/** The command line of its first review. */
export const FIRST_REVIEW = [
  "renew",
  "echo",
  "--review",
  "--reviewer",
  "eve-security",
  "--reason",
  "First review",
] as const;

/** A repository as {@link unreviewedWorkspace} makes it, but whose one program is reached by URL and whose entry is as its owner wrote it. */
export async function protectedWorkspace(
  program: string = protectedScript(),
): Promise<{ readonly root: string; readonly port: number }> {
  const root = unreviewedWorkspace({ entry: false });
  const port = await freePort();
  put(root, `${APP}/package.json`, bytesOf(MANIFEST));
  put(root, `${APP}/src/main.ts`, "export {};\n");
  rebuild(root, program);
  put(root, DRAFT, bytesOf(draftAt(`http://127.0.0.1:${port}`)));
  return { root, port };
}

/** Builds its program anew. */
export function rebuild(root: string, program: string): void {
  put(root, `${APP}/dist/main.js`, program);
  buildApp(root, APP);
}

/** What its package.json says. */
export const MANIFEST = {
  name: "@eve/echo",
  version: "1.2.0",
  type: "module",
  eve: {
    protectedHttp: {
      environment: { resource: "NOTES_RESOURCE", issuer: "NOTES_ISSUER", keySet: "NOTES_KEYS" },
      call: { tool: "echo_note", arguments: { text: "probe" }, answer: { text: "probe" } },
    },
    evaluation: ["checks"],
  },
} satisfies JsonObject;

function draftAt(origin: string): JsonObject {
  return {
    id: "echo",
    kind: "mcp-server",
    origin: "first-party",
    deployment: "local-reference",
    protocol: { name: "mcp", versions: ["2025-11-25", "2026-07-28"] },
    owner: { team: "notes-team", contact: "notes-team@eve.example" },
    source: { path: APP, artifacts: [{ path: "dist/main.js" }] },
    transport: { type: "streamable-http", url: `${origin}/mcp` },
    riskClass: "read",
    permissions: ["notes:read"],
    tools: [{ name: "echo_note", riskClass: "read", permissions: ["notes:read"] }],
    credentials: [
      { id: "echo-token", env: "ECHO_TOKEN", scopes: ["notes:read"], destinations: [origin] },
    ],
    configuration: [],
    destinations: [{ origin, dataClasses: ["note"] }],
    lifecycle: { state: "active", since: "2026-11-01T00:00:00Z", reason: "A test's own" },
  };
}

/** A port that was free a moment ago, below those that the system gives to connections. */
async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
