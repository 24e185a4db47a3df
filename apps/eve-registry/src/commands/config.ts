import type { Entry } from "@eve/registry-schema";
import { loadRegistry, requireEntry, requireFirstParty } from "../entry-file.ts";
import { programOf } from "../first-party.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";

/** Clients whose configuration is known. */
export const CLIENTS = ["claude-code", "vscode", "cursor", "codex"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** How a client starts a server. `env` holds settings that are no secret, and references for those that are. */
export interface ClientServer {
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a client's configuration of an entry's server is, ready to paste. It holds no credential, only its variable's name. */
export function config({ registry: folder, root }: Workspace, id: string, client: string): Outcome {
  if (!isClient(client)) throw new UsageError(`Clients: ${CLIENTS.join(", ")}.`);
  const loaded = loadRegistry(folder);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const entry = requireFirstParty(requireEntry(loaded.assembled, id).entry);
  if (entry.transport.type !== "stdio")
    throw new UsageError(`${id} is reached at ${entry.transport.url}; give the client that URL.`);
  const server: ClientServer = {
    id,
    command: entry.transport.command,
    args: [programOf(entry, root), ...entry.transport.args.slice(1)],
    env: settingsOf(entry),
  };
  const text = renderConfig(client, server);
  return {
    lines: [`${WHERE[client]}:`, "", text],
    json: { client, where: WHERE[client], text },
    refusals: [],
  };
}

const WHERE: Readonly<Record<ClientName, string>> = {
  "claude-code": ".mcp.json in the project",
  vscode: ".vscode/mcp.json",
  cursor: ".cursor/mcp.json",
  codex: "~/.codex/config.toml",
};

/** The text of a client's configuration for one stdio server. */
export function renderConfig(client: ClientName, { id, command, args, env }: ClientServer): string {
  if (client === "codex") {
    const variables = Object.entries(env).map(
      ([name, value]) => `${name} = ${JSON.stringify(value)}`,
    );
    return `[mcp_servers.${id}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nenv = { ${variables.join(", ")} }`;
  }
  const server = { ...(client === "vscode" && { type: "stdio" }), command, args, env };
  const key = client === "vscode" ? "servers" : "mcpServers";
  return JSON.stringify({ [key]: { [id]: server } }, null, 2);
}

/** The destination for the settings, and for each credential a sentence that nobody takes for one. */
function settingsOf({
  configuration,
  credentials,
  destinations,
}: Entry): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...configuration.map(({ env }) => [env, destinations[0]?.origin ?? ""]),
    ...credentials.map(({ env, id }) => [env, `<the ${id} that was issued to you>`]),
  ]);
}

function isClient(text: string): text is ClientName {
  return CLIENTS.some((client) => client === text);
}
