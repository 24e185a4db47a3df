import type { Edit, Guard } from "../guard.ts";

const BINDING = "packages/consent-binding/src";
const BFF = "apps/bff/src";
const EXECUTE = `${BFF}/database/migrations/0016/execute-sealed.ts`;
const TESTS = "apps/bff/test";
const HOSTILE = [`${TESTS}/hostile-calls.test.ts`];

/** One of the reasons that PostgreSQL has against an execution is none. */
const unjudged = (is: string): Edit => ({ file: EXECUTE, is, off: "" });

/** What is changed meanwhile is not waited for. */
const UNLOCKED: Edit = {
  file: EXECUTE,
  is: "where id = p_consent and tenant = who.tenant and actor = who.actor and who.class = 'agent' for update;",
  off: "where id = p_consent and tenant = who.tenant and actor = who.actor and who.class = 'agent';",
};

/** One operator's approval of one exact call: what it is bound to, its states, who comes first. */
export const CONSENTS: readonly Guard[] = [
  {
    name: "an approval is used once",
    edits: [
      {
        file: EXECUTE,
        is: "when c.state in ('consumed', 'declined', 'expired', 'voided')",
        off: "when c.state in ('declined', 'expired', 'voided')",
      },
    ],
    tests: [`${TESTS}/database/execute-consent.test.ts`],
    inputs: ["CB-01"],
  },
  {
    name: "an approval is of these arguments, byte for byte",
    edits: [unjudged("or (binding -> 'arguments')::text is distinct from p_arguments")],
    tests: [`${TESTS}/database/bound-arguments.test.ts`],
    inputs: ["CB-02", "CB-05"],
  },
  {
    name: "a body is read strictly",
    edits: [
      {
        file: `${BFF}/http/strict-body.ts`,
        is: "const parsed = parseJson(body, { limits: { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_DEPTH } });",
        off: "const parsed = { ok: true, value: JSON.parse(body.toString()) } as ReturnType<typeof parseJson>;",
      },
    ],
    tests: HOSTILE,
    inputs: ["CB-07", "CB-10", "CB-11", "CB-13"],
  },
  {
    name: "digests are compared whole",
    edits: [
      {
        file: "packages/canonical-json/src/hmac.ts",
        is: "timingSafeEqual(left, right);",
        off: "timingSafeEqual(left.subarray(0, 8), right.subarray(0, 8));",
      },
    ],
    tests: [`${TESTS}/database/bound-arguments.test.ts`],
    inputs: ["CB-14"],
  },
  {
    name: "a state that is final, or decided, is not decided again",
    edits: [
      {
        file: `${BINDING}/judge-decision.ts`,
        is: "  notFinal,\n  notExpired,\n  isPending,\n",
        off: "  notExpired,\n",
      },
    ],
    tests: [`${TESTS}/database/decide-consent.test.ts`],
    inputs: ["CS-01", "CS-02", "CS-07"],
  },
  {
    name: "an approval ends",
    edits: [unjudged("    when c.expires_at <= v_now then 'consent.expired'\n")],
    tests: [`${TESTS}/database/execute-consent.test.ts`],
    inputs: ["CS-04"],
  },
  {
    name: "the clock is PostgreSQL's",
    edits: [
      {
        file: `${BFF}/database/decide-consent.ts`,
        is: "const now = locked ? instantMs(locked.now) : 0;",
        off: "const now = locked ? Date.now() : instantMs(0 as never);",
      },
    ],
    tests: [`${TESTS}/database/application-clock.test.ts`],
    inputs: ["CS-05"],
  },
  {
    name: "a preview cannot write",
    edits: [
      {
        file: `${BFF}/database/client.ts`,
        is: '    .setAccessMode("read only")\n',
        off: "",
      },
    ],
    tests: [`${TESTS}/database/request-consent.test.ts`],
    inputs: ["CS-08"],
  },
  {
    name: "a stored consent is the one that was written",
    edits: [
      unjudged("    when not bff.is_intact(c, binding, p_key, p_pads) then 'consent.integrity'\n"),
    ],
    tests: [`${TESTS}/database/altered-rows.test.ts`],
    inputs: ["CS-10", "CS-11"],
  },
  {
    name: "a consent's id has one form",
    edits: [
      {
        file: `${BINDING}/fields.ts`,
        is: 'return typeof value === "string" && CONSENT_ID.test(value);',
        off: "return true;",
      },
    ],
    tests: HOSTILE,
    inputs: ["CS-13"],
  },
  {
    name: "few requests of one actor wait",
    edits: [
      {
        file: `${BFF}/database/migrations/0016/request-sealed.ts`,
        is: "(where o.actor = who.actor) >= 32 or count(*) >= 256",
        off: "(where o.actor = who.actor) >= 32000 or count(*) >= 256000",
      },
    ],
    tests: [`${TESTS}/database/request-consent.test.ts`],
    inputs: ["CS-14"],
  },
  {
    name: "an execution locks its consent before it judges it",
    edits: [UNLOCKED],
    tests: [`${TESTS}/database/isolation.test.ts`, `${TESTS}/races/races.test.ts`],
    inputs: ["CC-01", "CC-02", "CC-08"],
  },
  {
    name: "the clock is read after the locks",
    edits: [
      {
        file: EXECUTE,
        is: "  -- After both locks: whatever was waited for is past, a revocation too, and no later step waits.\n  v_now := bff.clock();",
        off: "  v_now := bff.clock() - (clock_timestamp() - statement_timestamp());",
      },
    ],
    tests: [`${TESTS}/races/races.test.ts`, `${TESTS}/races/pauses.test.ts`],
    inputs: ["CC-11"],
  },
  {
    name: "a repeat learns the outcome that was recorded",
    edits: [unjudged(", case when v_code = 'consent.consumed' then c.outcome::json end")],
    tests: [`${TESTS}/races/kills.test.ts`, `${TESTS}/races/cut-connections.test.ts`],
    inputs: ["CC-04", "CC-05"],
  },
  {
    name: "no lock outlives its transaction",
    edits: [
      {
        file: `${BFF}/database/migrations/0016/request-sealed.ts`,
        is: "perform pg_advisory_xact_lock(",
        off: "perform pg_advisory_lock(",
      },
    ],
    tests: [`${TESTS}/database/isolation.test.ts`],
    inputs: ["CC-07"],
  },
  {
    name: "a database without the newest checkpoint's link is not served",
    edits: [
      {
        file: `${BFF}/database/holds-audit-link.ts`,
        is: "return held;",
        off: "return true;",
      },
    ],
    tests: [`${TESTS}/audit/rolled-back.test.ts`],
    inputs: ["CC-10"],
  },
];
