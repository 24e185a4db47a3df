import type * as z from "zod";

/** What every tool's answer has in common: an object told apart by `status`. */
export interface Answer {
  readonly status: "ok" | "approval_required" | "pending" | "refused";
}

/**
 * A tool as a model sees it, without a handler and without a risk class: that and the permissions
 * come from the registry entry alone, and annotations are derived from it.
 */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodType<Readonly<Record<string, unknown>>>;
  readonly outputSchema: z.ZodType<Answer>;
}
