import { provoked } from "../../expect-refusal.ts";
import type { Step } from "../../step.ts";
import { StepError } from "../../step-error.ts";
import { otherResource, type Running } from "../start-services.ts";

const UNAUTHORIZED = 401;

/** A token of the same issuer for another resource: refused on the wire, with the challenge of RFC 6750 and RFC 9728. */
export const wrongAudience: Step<Running> = {
  id: "peer-wrong-audience",
  doing: "Calling Bellona with a token made for another server",
  run: async ({ context, bellona, authorization }) => {
    const token = await authorization.tokenFor(otherResource(context));
    const response = await fetch(bellona.resource, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    await response.body?.cancel();
    const challenge = response.headers.get("www-authenticate") ?? "";
    if (response.status !== UNAUTHORIZED || !challenge.includes('error="invalid_token"'))
      throw new StepError(
        `expected 401 with error="invalid_token"; found ${response.status} ${challenge}`,
      );
    return {
      headline: "Refused, 401: a token of the same issuer for another server",
      refusals: [provoked("auth.token_invalid")],
    };
  },
};
