import { type JsonObject, type JsonValue, canonicalJson, parseJson } from "@eve/canonical-json";
import { objectIn } from "@eve/test-kit";
import * as z from "zod";

const text = z.string().min(1);
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const actor = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}$/);
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/);
const state = z.enum(["queued", "claimed", "submitted", "shipped", "verified", "rejected"]);
const channel = z.enum(["internal", "beta", "stable"]);
const consentId = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);
const count = z.int().min(0);

const item = z.strictObject({
  id,
  title: text,
  state,
  assignee: actor.nullable(),
  version: count,
  createdAt: instant,
  updatedAt: instant,
});
const note = z.strictObject({ id, author: actor, text, createdAt: instant });
const detail = z.strictObject({
  ...item.shape,
  description: z.string(),
  change: z.strictObject({ summary: text, artifactSha256: hex, submittedAt: instant }).nullable(),
  channel: channel.nullable(),
  notes: z.array(note).max(100),
  history: z
    .array(z.strictObject({ actor, from: state.nullable(), to: state, at: instant }))
    .max(100),
});
const outcome = z.strictObject({
  itemId: id,
  from: state,
  to: state,
  version: count,
  executedAt: instant,
});
const approval = z.strictObject({
  status: z.literal("approval_required"),
  consentId,
  approveUrl: z.url(),
  expiresAt: instant,
  digest: hex,
  next: text,
});
const pending = z.strictObject({
  status: z.literal("pending"),
  consentId,
  approveUrl: z.url().optional(),
  expiresAt: instant.optional(),
  next: text,
});
const ok = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<{ status: z.ZodLiteral<"ok"> } & Shape, z.core.$strict> =>
  z.strictObject({ status: z.literal("ok"), ...shape });

/** What the workbench's output schemas allow as an answer, written a second time: strict, so that one field more fails. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  workbench_list_items: ok({
    items: z.array(item).max(100),
    nextCursor: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,512}$/)
      .nullable(),
  }),
  workbench_get_item: ok({ item: detail }),
  workbench_claim_item: ok({ item }),
  workbench_add_note: ok({ note }),
  workbench_submit_change: ok({ item }),
  workbench_ship_item: z.discriminatedUnion("status", [ok({ item, channel }), approval, pending]),
  workbench_verify_item: z.discriminatedUnion("status", [ok({ item }), approval, pending]),
};
const whoami = z.object({ actor, scopes: z.array(z.string().max(128)).max(256) });

/** Speaks to a service as the workbench's own client does, over real HTTP, and holds each answer to what that client takes. */
export interface WorkbenchClient {
  whoami(): Promise<JsonObject>;
  /** The answer as a tool result has it; a problem becomes `refused` with its code and outcome. */
  call(tool: string, args: JsonObject, consentId?: string): Promise<JsonObject>;
}

/** A client with one bearer. Throws for any answer that the workbench would not take. */
export function workbenchClient(origin: string, token: string): WorkbenchClient {
  return {
    whoami: async () => {
      const { status, value } = await exchange(origin, token, "/v1/whoami");
      if (status !== 200) return refused(value);
      whoami.parse(value);
      return objectIn(value);
    },
    call: async (tool, args, consent) => {
      const body = canonicalJson({
        arguments: args,
        ...(consent !== undefined && { consentId: consent }),
      });
      const { status, value } = await exchange(origin, token, `/v1/tools/${tool}/calls`, body);
      if (status !== 200) return refused(value);
      ANSWERS[tool]?.parse(value);
      return objectIn(value);
    },
  };
}

async function exchange(
  origin: string,
  token: string,
  path: string,
  body?: string,
): Promise<{ readonly status: number; readonly value: JsonValue }> {
  const response = await fetch(`${origin}${path}`, {
    redirect: "error",
    headers: {
      accept: "application/json, application/problem+json",
      "accept-encoding": "identity",
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { method: "POST", body }),
  });
  const type = response.headers.get("content-type")?.split(";")[0];
  const wanted = response.status === 200 ? "application/json" : "application/problem+json";
  const parsed = parseJson(new Uint8Array(await response.arrayBuffer()));
  if (type !== wanted || !parsed.ok) throw new Error(`an answer of type ${type}`);
  return { status: response.status, value: parsed.value };
}

function refused(value: JsonValue): JsonObject {
  const { code, title, remedy, outcome: recorded } = objectIn(value);
  if (recorded !== undefined) outcome.parse(recorded);
  z.strictObject({ code: text, title: text.max(300), remedy: text.max(1000) }).parse({
    code,
    title,
    remedy,
  });
  return {
    status: "refused",
    ...(code !== undefined && { code }),
    ...(recorded !== undefined && { outcome: recorded }),
  };
}
