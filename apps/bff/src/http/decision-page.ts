import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { AppOptions } from "../app-options.ts";
import { decide, findConsent } from "../consents.ts";
import type { Caller, ConsentView } from "../database/database.ts";
import { type Failure, type Result, fail } from "../failure.ts";
import { placeOf } from "../issue-place.ts";
import { consentPage } from "../page/consent-page.ts";
import { credentialPage } from "../page/credential-page.ts";
import { PAGE_POLICY } from "../page/document.ts";
import { refusalPage } from "../page/refusal-page.ts";
import { reading } from "../service-error.ts";
import { sha256Hex, text } from "../tools/fields.ts";
import { findCaller } from "./authentication.ts";
import { challenge, statusOf } from "./problem.ts";

/** A form is small; the longest reason is some 9 kB when each character takes nine. */
const MAX_FORM_BYTES = 16 * 1024;

const credential = z.string().min(1).max(128);
/** Browsers send line ends of a text area as CR LF. */
const reason = z
  .string()
  .transform((value) => value.replaceAll("\r\n", "\n"))
  .pipe(text(1000));

const formBody = z.discriminatedUnion("step", [
  z.strictObject({ step: z.literal("show"), credential }),
  z.strictObject({ step: z.enum(["approve", "decline"]), credential, digest: sha256Hex, reason }),
]);
type Form = z.output<typeof formBody>;
type PageRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * The approve URL: `GET /consents/{id}` asks for an operator's credential, and its form shows the request, then decides
 * on it with the credential entered again. No session, no script, no cookie.
 */
export async function addDecisionPage(part: FastifyInstance, options: AppOptions): Promise<void> {
  part.removeAllContentTypeParsers();
  await part.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  part.addHook("onRequest", async (_request, reply) => {
    // With no referrer at all, browsers would send `Origin: null` with the form.
    reply.headers({ "content-security-policy": PAGE_POLICY, "referrer-policy": "same-origin" });
  });
  part.get("/consents/:id", async (_request, reply) => sendPage(reply, credentialPage()));
  part.post("/consents/:id", async (request: PageRequest, reply) => {
    const page = await answerForm(options, request);
    return page.ok ? sendPage(reply, page.value) : sendRefusalPage(reply, page);
  });
}

/** Answers a failure as a page. */
export function sendRefusalPage(reply: FastifyReply, failure: Failure): FastifyReply {
  return sendPage(challenge(reply, failure).code(statusOf(failure)), refusalPage(failure));
}

async function answerForm(options: AppOptions, request: PageRequest): Promise<Result<string>> {
  if (!isOwnForm(request, options.publicOrigin))
    return fail("request.invalid", { detail: "the form must be sent from this page" });
  const form = formBody.safeParse(request.body ?? {});
  if (!form.success) return fail("request.invalid", { detail: placeOf(form.error, "form") });
  const caller = await findCaller(options, form.data.credential);
  if (!caller.ok) return caller;
  if (caller.value.class !== "operator") return fail("consent.approver_not_operator");
  const consent = await answerStep(options, caller.value, request.params.id, form.data);
  if (!consent.ok) return consent;
  const now = await reading(() => options.database.now());
  return { ok: true, value: consentPage(consent.value, now) };
}

function answerStep(
  options: AppOptions,
  caller: Caller,
  id: string,
  form: Form,
): Promise<Result<ConsentView>> {
  if (form.step === "show") return findConsent(options, caller, id);
  const { step, digest, reason: why } = form;
  return decide(options, caller, id, { decision: step, digest, reason: why });
}

/** Whether a browser says that the form came from our own origin: exactly this Origin, and no other site. */
function isOwnForm({ headers }: FastifyRequest, publicOrigin: string): boolean {
  const site = headers["sec-fetch-site"];
  return headers.origin === publicOrigin && (site === undefined || site === "same-origin");
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(page);
}
