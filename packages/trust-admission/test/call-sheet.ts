/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import type { RefusalCode, Registry } from "@eve/registry-schema";
import { at, goodEntry, hintsOf, NOW, renewed, withValue } from "@eve/test-kit";
import {
  type Admission,
  type CallArguments,
  MAX_ARGUMENT_BYTES,
  type ToolCall,
} from "@eve/trust-admission";
import {
  admissionOf,
  type Base,
  goodCall,
  goodWorld,
  registryOf,
  withEntry,
  type World,
} from "./world.ts";

/** What a call is decided from; `world` is the current one, which may differ from the one that was admitted. */
export interface CallCase {
  readonly admission: Admission;
  readonly world: World;
  readonly call: ToolCall;
  readonly now: number;
}

/** One cause for which admitToolCall() refuses: the change, the code that must come first, and why. */
export interface CallRow {
  readonly code: RefusalCode;
  readonly title: string;
  readonly reason: string;
  readonly change: (on: CallCase) => CallCase;
}

/** An admitted server and a good call of its publishing tool. */
export function goodCase(base: Base = {}): CallCase {
  const world = goodWorld(base);
  return {
    admission: admissionOf(world),
    world,
    call: goodCall("ship_note", hintsOf("publish")),
    now: NOW,
  };
}

export const currentRegistry = ({ world }: CallCase): Registry => registryOf(world);

const entry = (on: CallCase, path: readonly (string | number)[], value: string): CallCase => ({
  ...on,
  world: withEntry(on.world, path, value),
});
const call = (on: CallCase, changes: Partial<ToolCall>): CallCase => ({
  ...on,
  call: { ...on.call, ...changes },
});

const wire = (text: string): CallArguments => ({
  from: "wire",
  bytes: new TextEncoder().encode(text),
});

/** The causes of admitToolCall(), in the order in which it asks. */
export const CALL_SHEET: readonly CallRow[] = [
  {
    code: "admission.forged",
    title: "a copy of an admission",
    reason: "Only admit() makes admissions",
    change: (on) => ({ ...on, admission: { ...on.admission } }),
  },
  {
    code: "entry.absent",
    title: "an entry that is gone",
    reason: "Governance is repeated at each call",
    change: (on) => ({
      ...on,
      world: { ...on.world, entry: goodEntry({ now: NOW, id: "memos" }) },
    }),
  },
  {
    code: "registry.field_missing",
    title: "an entry that has a fault now",
    reason: "Governance is repeated at each call",
    change: (on) => ({ ...on, world: withEntry(on.world, ["owner", "team"], undefined) }),
  },
  {
    code: "lifecycle.quarantined",
    title: "RR-11 an entry that is quarantined now",
    reason: "Quarantine stops calls",
    change: (on) => entry(on, ["lifecycle", "state"], "quarantined"),
  },
  {
    code: "health.expired",
    title: "RT-20 a health that expired since",
    reason: "Dates bind a running program at once",
    change: (on) => entry(on, ["health", "expiresAt"], at(NOW)),
  },
  {
    code: "clock.behind",
    title: "a clock set back",
    reason: "A clock that runs behind would revive what has expired",
    change: (on) => ({
      ...on,
      world: {
        ...on.world,
        others: [
          withValue(goodEntry({ now: NOW, id: "memos" }), ["lifecycle", "since"], at(NOW + 1)),
        ],
      },
    }),
  },
  {
    code: "review.subject_changed",
    title: "a permission edited without a review",
    reason: "What nothing measures is bound by the review's subject",
    change: (on) => ({
      ...on,
      world: withEntry(on.world, ["tools", 4, "permissions", 0], "notes:write"),
    }),
  },
  {
    code: "entry.changed",
    title: "an entry reviewed anew since",
    reason: "Anything but dates and lifecycle needs a new admission",
    change: (on) => ({
      ...on,
      world: {
        ...on.world,
        entry: renewed(
          withValue(on.world.entry, ["destinations", 2, "dataClasses", 0], "usage-counts"),
        ),
      },
    }),
  },
  {
    code: "entry.changed",
    title: "another contact of the owner",
    reason: "Descriptive leaves change the entry's digest",
    change: (on) => entry(on, ["owner", "contact"], "somebody@eve.example"),
  },
  {
    code: "surface.generation_stale",
    title: "SN-16 a call made for an older observation of the surface",
    reason: "What was listed may not be what is served now",
    change: (on) => call(on, { generation: { listed: 1, current: 2 } }),
  },
  {
    code: "surface.generation_stale",
    title: "a call made for an observation that is still to come",
    reason: "Nobody has listed it",
    change: (on) => call(on, { generation: { listed: 3, current: 2 } }),
  },
  {
    code: "surface.generation_stale",
    title: "a generation that is no count",
    reason: "What cannot be compared is refused",
    change: (on) => call(on, { generation: { listed: Number.NaN, current: Number.NaN } }),
  },
  {
    code: "protocol.version_unadmitted",
    title: "SN-14 a session of another version that the entry lists",
    reason: "An admission serves the one version that was observed",
    change: (on) => call(on, { protocolVersion: "2026-07-28" }),
  },
  {
    code: "call.tool_unpinned",
    title: "SN-20 a tool that is served and never listed",
    reason: "Only pinned tools are called",
    change: (on) => call(on, { tool: "admin_delete" }),
  },
  {
    code: "call.tool_unpinned",
    title: "a tool named like an object's own member",
    reason: "Tools are looked up in a map",
    change: (on) => call(on, { tool: "constructor" }),
  },
  {
    code: "call.annotation_mismatch",
    title: "D23 a publishing tool that says it only reads",
    reason: "Risk comes from the entry; a live hint never lowers it",
    change: (on) => call(on, { annotations: { ...hintsOf("publish"), readOnlyHint: true } }),
  },
  {
    code: "call.annotation_mismatch",
    title: "no annotations",
    reason: "A first party's annotations are those of its class",
    change: (on) => call(on, { annotations: {} }),
  },
  {
    code: "credential.destination_refused",
    title: "a credential sent elsewhere",
    reason: "Each credential names the only origins it may go to",
    change: (on) =>
      call(on, { credential: { id: "notes-bearer", destination: "https://evil.example" } }),
  },
  {
    code: "credential.destination_refused",
    title: "a credential sent to another credential's destination",
    reason: "Each credential has destinations of its own",
    change: (on) =>
      call(on, { credential: { id: "notes-bearer", destination: "https://archive.eve.example" } }),
  },
  {
    code: "credential.destination_refused",
    title: "a credential sent to a destination of data alone",
    reason: "A destination of data is no destination of a credential",
    change: (on) =>
      call(on, { credential: { id: "notes-bearer", destination: "https://metrics.eve.example" } }),
  },
  {
    code: "call.scope_missing",
    title: "a credential without the tool's permission",
    reason: "Permissions are the tool's, not the caller's wish",
    change: (on) => call(on, { scopes: ["notes:write"] }),
  },
  {
    code: "consent.required",
    title: "a publishing call nobody approves",
    reason: "Publishing does not rely on a client's approval UI",
    change: (on) => call(on, { consent: { by: "none" } }),
  },
  {
    code: "consent.required",
    title: "a publishing call with an unknown kind of consent",
    reason: "What is unknown is refused",
    change: (on) => call(on, { consent: { by: "client" } as unknown as ToolCall["consent"] }),
  },
  {
    code: "call.arguments_invalid",
    title: "a name twice after unescaping (D21)",
    reason: "Gate and server would read two values",
    change: (on) => call(on, { arguments: wire('{"id":"a","target":"staging","\\u0069d":"b"}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a name that reaches a prototype",
    reason: "Clients drop it and servers may not",
    change: (on) =>
      call(on, { arguments: wire('{"id":"a","target":"staging","__proto__":{"admin":true}}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a number that a double changes",
    reason: "It would be approved as another number",
    change: (on) =>
      call(on, { arguments: wire('{"id":"a","target":"staging","dryRun":9007199254740993}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "half of a surrogate pair",
    reason: "No text has it",
    change: (on) => call(on, { arguments: wire('{"id":"\\ud800","target":"staging"}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a list in place of an object",
    reason: "Arguments are named",
    change: (on) => call(on, { arguments: wire('["a"]') }),
  },
  {
    code: "call.arguments_invalid",
    title: "bytes that are no JSON",
    reason: "What is not read alike is refused",
    change: (on) => call(on, { arguments: wire('{"id":"a",}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a pinned name in another case",
    reason: "Some servers match names without case",
    change: (on) => call(on, { arguments: wire('{"id":"a","target":"staging","DryRun":true}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a pinned name with separators",
    reason: "Some servers match names without separators",
    change: (on) => call(on, { arguments: wire('{"id":"a","target":"staging","dry_run":true}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a pinned name in full-width letters",
    reason: "Some servers compare names in NFKC",
    change: (on) =>
      call(on, { arguments: wire('{"id":"a","target":"staging","ｔarget":"production"}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a name that is not in the schema",
    reason: "The schema is closed",
    change: (on) => call(on, { arguments: wire('{"id":"a","target":"staging","force":true}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "a value that the schema does not list",
    reason: "The pinned schema decides",
    change: (on) => call(on, { arguments: wire('{"id":"a","target":"production"}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "no value that the schema requires",
    reason: "The pinned schema decides",
    change: (on) => call(on, { arguments: wire('{"id":"a"}') }),
  },
  {
    code: "call.arguments_invalid",
    title: "more bytes of arguments than anybody reads",
    reason: "A call is bounded",
    change: (on) =>
      call(on, {
        arguments: wire(
          `{"id":"a","target":"staging","dryRun":true${" ".repeat(MAX_ARGUMENT_BYTES)}}`,
        ),
      }),
  },
  {
    code: "call.arguments_invalid",
    title: "arguments of an unknown source",
    reason: "What is unknown is refused",
    change: (on) => call(on, { arguments: { from: "client" } as unknown as CallArguments }),
  },
  {
    code: "internal.error",
    title: "no call at all",
    reason: "A check that fails to run refuses",
    change: (on) => ({ ...on, call: undefined as unknown as ToolCall }),
  },
];
