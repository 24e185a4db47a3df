import { z } from "zod";

type NonceSchema = z.ZodObject<{ nonce: z.ZodString }, z.core.$strict>;

const withNonce: NonceSchema = z.strictObject({
  nonce: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/)
    .describe("Any 1 to 128 letters, digits, _ or -; a fresh one shows that the answer is fresh."),
});

/** A tool as it is registered. */
interface PingTool {
  readonly name: "bellona_ping";
  readonly title: string;
  readonly description: string;
  readonly inputSchema: NonceSchema;
  readonly outputSchema: NonceSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The one tool: it proves that a client reached this server with a right token, and changes nothing. */
export const BELLONA_PING: PingTool = {
  name: "bellona_ping",
  title: "Ping Bellona",
  description: "Answers the nonce it was given. Reads nothing, changes nothing.",
  inputSchema: withNonce,
  outputSchema: withNonce,
  // Those of a read-only tool, written out: the measured side does not know the table it is compared with.
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};
