import type { JsonObject } from "@eve/canonical-json";
import type { Entry, FirstPartyEntry } from "@eve/registry-schema";
import { loadRegistry, requireEntry, requireFirstParty } from "../entry-file.ts";
import { programOf } from "../first-party.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";

/** Clients whose configuration is known. */
export const CLIENTS = ["claude-code", "vscode", "cursor", "codex"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** How a client starts a server. `env` holds settings that are no secret; `secrets` names the variables that hold one. */
interface StdioServer {
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** How a client reaches a server. `tokenEnv` is the variable that holds its bearer. */
interface HttpServer {
  readonly id: string;
  readonly url: string;
  readonly tokenEnv: string | undefined;
}

/** A server as a client is told of it. */
export type ClientServer = StdioServer | HttpServer;

/** What a client's configuration of an entry's server is, ready to paste. It holds no credential, only its variable's name. */
export function config({ registry: folder, root }: Workspace, id: string, client: string): Outcome {
  if (!isClient(client)) throw new UsageError(`Clients: ${CLIENTS.join(", ")}.`);
  const loaded = loadRegistry(folder);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const entry = requireFirstParty(requireEntry(loaded.assembled, id).entry);
  const text = renderConfig(client, serverOf(entry, root));
  return {
    lines: [`${WHERE[client]}:`, "", text],
    json: { client, where: WHERE[client], text },
    refusals: [],
  };
}

function serverOf(entry: FirstPartyEntry, root: string): ClientServer {
  const { id, transport, credentials } = entry;
  if (transport.type === "streamable-http")
    return { id, url: transport.url, tokenEnv: credentials[0]?.env };
  return {
    id,
    command: transport.command,
    args: [programOf(entry, root), ...transport.args.slice(1)],
    env: settingsOf(entry),
    secrets: credentials.map(({ env }) => env),
  };
}

const WHERE: Readonly<Record<ClientName, string>> = {
  "claude-code": ".mcp.json in the project",
  vscode: ".vscode/mcp.json",
  cursor: ".cursor/mcp.json",
  codex: "~/.codex/config.toml",
};

/** The text of a client's configuration for one server. */
export function renderConfig(client: ClientName, server: ClientServer): string {
  return "url" in server ? renderHttp(client, server) : renderStdio(client, server);
}

function renderStdio(client: ClientName, server: StdioServer): string {
  const { id, command, args, env, secrets } = server;
  if (client === "codex") {
    const settings = Object.entries(env).map(
      ([name, value]) => `${name} = ${JSON.stringify(value)}`,
    );
    return [
      `[mcp_servers.${id}]`,
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      `env = { ${settings.join(", ")} }`,
      ...(secrets.length > 0 ? [`env_vars = ${JSON.stringify(secrets)}`] : []),
    ].join("\n");
  }
  const references = secrets.map((name) => [name, REFERENCE[client](name)]);
  return renderJson(client, {
    id,
    server: {
      ...(client === "vscode" && { type: "stdio" }),
      command,
      args,
      env: { ...env, ...Object.fromEntries(references) },
    },
    secrets,
  });
}

/** How each client refers to a variable of its own environment; VS Code asks for a secret and keeps it itself. */
const REFERENCE: Readonly<Record<Exclude<ClientName, "codex">, (name: string) => string>> = {
  "claude-code": (name) => `\${${name}}`,
  cursor: (name) => `\${env:${name}}`,
  vscode: (name) => `\${input:${name}}`,
};

function renderHttp(client: ClientName, { id, url, tokenEnv }: HttpServer): string {
  if (client === "codex")
    return [
      `[mcp_servers.${id}]`,
      `url = ${JSON.stringify(url)}`,
      ...(tokenEnv === undefined ? [] : [`bearer_token_env_var = ${JSON.stringify(tokenEnv)}`]),
    ].join("\n");
  return renderJson(client, {
    id,
    server: {
      ...(client !== "cursor" && { type: "http" }),
      url,
      ...(tokenEnv !== undefined && {
        headers: { Authorization: `Bearer ${REFERENCE[client](tokenEnv)}` },
      }),
    },
    secrets: tokenEnv === undefined ? [] : [tokenEnv],
  });
}

/** A server as a JSON file of a client names it; VS Code's says what to ask for. */
function renderJson(
  client: Exclude<ClientName, "codex">,
  named: { readonly id: string; readonly server: JsonObject; readonly secrets: readonly string[] },
): string {
  const { id, server, secrets } = named;
  if (client !== "vscode") return JSON.stringify({ mcpServers: { [id]: server } }, null, 2);
  const inputs = secrets.map((name) => ({
    type: "promptString",
    id: name,
    description: `Credential of ${id} (${name})`,
    password: true,
  }));
  return JSON.stringify(
    { servers: { [id]: server }, ...(inputs.length > 0 && { inputs }) },
    null,
    2,
  );
}

/** The destination for the settings. */
function settingsOf({ configuration, destinations }: Entry): Readonly<Record<string, string>> {
  return Object.fromEntries(configuration.map(({ env }) => [env, destinations[0]?.origin ?? ""]));
}

function isClient(text: string): text is ClientName {
  return CLIENTS.some((client) => client === text);
}
