/** What to try after the run; each command works from the repository's folder. */
export function nextSteps(program: string, origin: string): readonly string[] {
  return [
    "Next:",
    "  Connect an agent to the built workbench; it needs a credential that its backend issued:",
    `    claude mcp add oshun-workbench --env OSHUN_WORKBENCH_URL=${origin} --env OSHUN_WORKBENCH_TOKEN="$TOKEN" -- node ${program}`,
    "  Hold the committed entries against what is built:",
    "    npm run verify",
    "  Read what a refusal means; docs/refusal-codes.md lists all:",
    "    node --conditions=@eve/source apps/eve-registry/src/main.ts explain surface.description_drift",
    "  See why an integration last refused to start on this machine:",
    "    node --conditions=@eve/source apps/eve-registry/src/main.ts doctor",
  ];
}
