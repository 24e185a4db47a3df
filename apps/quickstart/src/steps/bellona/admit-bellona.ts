import { randomBytes } from "node:crypto";
import { admit } from "@eve/trust-admission";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { makeLocalBellona } from "../../local-bellona.ts";
import type { Step } from "../../step.ts";
import { StepError } from "../../step-error.ts";
import type { Running } from "../start-services.ts";

const TOOL = "bellona_ping";

/** The peer is measured over HTTP, admitted in each version, and called by the official client with a right token. */
export const admitBellona: Step<Running> = {
  id: "peer-admitted",
  doing: "Measuring and calling Bellona with a token made for it",
  run: async ({ context, bellona, authorization }) => {
    const { resource } = bellona;
    const token = await authorization.tokenFor(resource);
    const { registry, entry, observations } = await makeLocalBellona(resource, token, context);
    for (const observation of observations) {
      const verdict = admit(registry, observation, context.now);
      if (!verdict.admitted) {
        const [{ code, subject }] = verdict.refusals;
        throw new StepError(`expected an admission; found ${code} (${subject})`);
      }
    }
    await ping(resource, token);
    return {
      headline: `Admitted: ${entry.id}, measured over HTTP; ${TOOL} answers a token made for it`,
      tools: entry.tools.map(({ name, riskClass }) => ({ name, riskClass })),
    };
  },
};

/** Calls the peer as the official client does, and requires that the answer is to this very question. */
async function ping(url: string, token: string): Promise<void> {
  const nonce = randomBytes(16).toString("hex");
  const client = new Client({ name: "eve-quickstart", version: "1.0.0" }, { capabilities: {} });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { structuredContent } = await client.callTool({ name: TOOL, arguments: { nonce } });
    const answered: unknown = Reflect.get(Object(structuredContent), "nonce");
    if (answered !== nonce) throw new StepError(`expected the nonce back; found another answer`);
  } finally {
    await client.close();
  }
}
