import type { JsonObject } from "@eve/canonical-json";
import { CLIENTS, type ClientName, renderConfig } from "@eve/registry-cli";

/** What a person or a program needs to use what runs. A credential is told by the path of its file. */
export interface Reach {
  readonly backend: string;
  readonly bellona: string;
  readonly agentCredentialFile: string;
  readonly operatorCredentialFile: string;
  readonly logs: string;
  /** The workbench's id and the absolute path of its program. */
  readonly integration: string;
  readonly program: string;
  /** A queued item to try things on. */
  readonly itemId: string;
}

const CLIENT_NAMES: Readonly<Record<ClientName, string>> = {
  "claude-code": "Claude Code, .mcp.json in a project",
  vscode: "VS Code, .vscode/mcp.json",
  cursor: "Cursor, .cursor/mcp.json",
  codex: "Codex, ~/.codex/config.toml",
};

/** What runs and what to try on it, for a person. */
export function nextSteps(reach: Reach): readonly string[] {
  return [
    "Running until Ctrl-C:",
    `  backend                  ${reach.backend}`,
    `  Bellona                  ${reach.bellona}`,
    `  agent's credential in    ${reach.agentCredentialFile}`,
    `  operator's credential in ${reach.operatorCredentialFile}`,
    `  logs                     ${reach.logs}`,
    "",
    "Try it: ask an agent to claim, submit and ship this item.",
    `  ${reach.itemId}`,
    "It will show you the address to approve the shipment at: open it, and paste the operator's credential there.",
    "",
    "Connect the agent; in the shell that starts it:",
    `  export OSHUN_WORKBENCH_TOKEN="$(cat '${reach.agentCredentialFile}')"`,
    ...CLIENTS.flatMap((client) => [
      "",
      `${CLIENT_NAMES[client]}:`,
      ...clientConfig(client, reach)
        .split("\n")
        .map((line) => `  ${line}`),
    ]),
    "",
    "Elsewhere:",
    "  npm run verify          holds the committed entries against what is built",
    "  docs/refusal-codes.md   says what each code means and what to do",
  ];
}

/** The same for a program. */
export function reachSummary(reach: Reach): JsonObject {
  const clients = CLIENTS.map((client) => [client, clientConfig(client, reach)]);
  return { running: { ...reach, clients: Object.fromEntries(clients) } };
}

function clientConfig(client: ClientName, { integration, program, backend }: Reach): string {
  return renderConfig(client, {
    id: integration,
    // By its path: the `node` of a client's own PATH may be too old.
    command: process.execPath,
    args: [program],
    env: { OSHUN_WORKBENCH_URL: backend },
    secrets: ["OSHUN_WORKBENCH_TOKEN"],
  });
}
