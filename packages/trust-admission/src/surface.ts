import type { JsonObject, JsonValue } from "@eve/canonical-json";

/**
 * What a live server shows in one protocol version: raw values of strictly parsed wire bytes, all pages joined.
 * `undefined` is an absent member, which is not the same as an empty one.
 */
export interface Surface {
  /** The negotiated protocol version. */
  readonly protocolVersion: string;
  readonly instructions: JsonValue | undefined;
  readonly capabilities: JsonValue | undefined;
  readonly tools: readonly JsonObject[];
  /** `undefined` where the capability is not declared, or the server answers that it knows no such listing. */
  readonly prompts: readonly JsonObject[] | undefined;
  readonly resources: readonly JsonObject[] | undefined;
  readonly resourceTemplates: readonly JsonObject[] | undefined;
}
