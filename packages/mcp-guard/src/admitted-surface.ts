import {
  entryDigest,
  isRefused,
  type Refusal,
  type Refusals,
  type Registry,
} from "@eve/registry-schema";
import { admit, judgeGovernance, judgeStanding, type Standing } from "@eve/trust-admission";
import type { Connection } from "./connect.ts";
import type { GuardedList, GuardOptions, GuardRefused } from "./guarded-types.ts";
import type { Walk } from "./list-pages.ts";
import { OBSERVATION_LIMITS } from "./observation-limits.ts";
import { refuserFor } from "./observation-refusal.ts";
import { eraOf, type ProtocolEra } from "./protocol-era.ts";
import { listSurface, type Opening, openSurface } from "./read-surface.ts";
import type { ListenRequest, WireSession } from "./session.ts";
import { lifetimeOf } from "./surface-lifetime.ts";

/** How often a surface that changes while it is measured is measured again. */
const MAX_MEASURINGS = 3;

interface Live {
  readonly connection: Connection;
  readonly walk: Walk;
  readonly standing: Standing;
  readonly opening: Opening;
}

/** What is admitted now. */
export interface Held extends GuardedList {
  /** The first generation since which the same entry was admitted without a break. */
  readonly since: number;
  /** Epoch ms; it holds in [measuredAt, expiresAt). */
  readonly measuredAt: number;
  readonly expiresAt: number;
}

/** What a server shows, as far as it is admitted. Its work is done one piece after the other. */
export interface AdmittedSurface {
  /** The admitted surface, measured where the last observation no longer holds; or why there is none. */
  ready(): Promise<Held | GuardRefused>;
  /** The open connection, if there is one. */
  session(): WireSession | undefined;
  /** The surface may have changed. */
  bump(): void;
  /** The connection is of no more use: what comes next connects, and is admitted, anew. */
  lose(): Promise<void>;
  /** Loses the connection, and forgets what was held and what had drifted. */
  forget(): Promise<void>;
  generation(): number;
}

/**
 * Keeps one admitted surface of a server. It is measured twice on a new connection and for a changed entry, both
 * listings must be admitted; and again when it may have changed: a list change (declared or not), the end of a stream
 * or connection, the end of its time. What drifted stays refused until it is forgotten; an outage is
 * `surface.unavailable`, changes nothing, and is tried again by the next `ready`.
 */
export function admittedSurface(options: GuardOptions): AdmittedSurface {
  const { integration, protocolVersion } = options;
  const limits = { ...OBSERVATION_LIMITS, ...options.limits };
  const refuse = refuserFor(integration);
  const era = eraOf(protocolVersion, options.clientCapabilities);
  const listening = era.hasResultType ? listenTo(era) : undefined;
  let generation = 1;
  let live: Live | undefined;
  let held: Held | undefined;
  /** The connection on which two listings in a row were admitted. */
  let proven: Connection | undefined;
  let drift: Refusals | undefined;

  const bump = (): void => {
    generation += 1;
  };
  /** The connection is gone: what comes next connects, and is admitted, anew. */
  const lose = async (): Promise<void> => {
    const lost = live;
    live = undefined;
    if (lost === undefined) return;
    bump();
    await lost.connection.end();
  };

  const connect = async (registry: Registry): Promise<Live | GuardRefused> => {
    const standing = await options.standing();
    const refusals = judgeStanding(registry, standing, options.now());
    if (isRefused(refusals)) return refused(refusals);
    const changed = (): void => {
      // A connection that was given up has nothing to say.
      if (live === undefined || live.connection === connection) bump();
    };
    const transport = standing.transport.value;
    const terms = { integration, protocolVersion, transport, era, limits, refuse, changed };
    const connection = options.connect(terms);
    if (!("session" in connection)) return refused(connection);
    const walk = { session: connection.session, era, limits, refuse };
    const opening = await openSurface(walk, protocolVersion);
    if (!opening.ok) {
      await connection.end();
      return refused(opening.refusals);
    }
    await connection.session.listen(listening);
    return (live = { connection, walk, standing, opening });
  };

  /** One listing of everything, and what admit() says of it. */
  const measure = async (on: Live, registry: Registry): Promise<Held | GuardRefused> => {
    const listed = await listSurface(on.walk, protocolVersion, on.opening);
    if (!listed.ok) return refused(listed.refusals);
    const measuredAt = options.now();
    const observation = {
      ...on.standing,
      client: { capabilities: options.clientCapabilities },
      surface: { how: "measured", value: listed.surface },
    } as const;
    const verdict = admit(registry, observation, measuredAt);
    if (!verdict.admitted) return refused(verdict.refusals);
    const { raw } = listed;
    const surface = frozen(listed.surface);
    const { admission } = verdict;
    const expiresAt = measuredAt + lifetimeOf(raw);
    return {
      ok: true,
      generation,
      since: generation,
      admission,
      surface,
      raw,
      measuredAt,
      expiresAt,
    };
  };

  /** In the modern era each request stands alone: what the server says of itself may have changed as well. */
  const openAgain = async (on: Live): Promise<Live | GuardRefused> => {
    on.connection.session.renew();
    // What changes while it is read is heard.
    await on.connection.session.listen(listening);
    if (!era.hasResultType) return on;
    const opening = await openSurface(on.walk, protocolVersion);
    return opening.ok ? (live = { ...on, opening }) : refused(opening.refusals);
  };

  const measureAnew = async (registry: Registry): Promise<Held | GuardRefused> => {
    const on = live === undefined ? await connect(registry) : await openAgain(live);
    if ("ok" in on) return on;
    const first = await measure(on, registry);
    if (!first.ok || proven === on.connection) return first;
    // Twice on a new connection: a server that answers in turns is not what one answer shows.
    const again = await openAgain(on);
    return "ok" in again ? again : measure(again, registry);
  };

  /** What a verdict means for what comes next: a drift stays, an outage ends the connection and nothing else. */
  const settle = async (outcome: Held | GuardRefused, at: number): Promise<void> => {
    if (outcome.ok) {
      const isSame = held?.admission.entryDigest === outcome.admission.entryDigest;
      proven = live?.connection;
      held = { ...outcome, generation: at, since: held && isSame ? held.since : at };
      return;
    }
    if (outcome.refusals.some(isDrift)) drift = outcome.refusals;
    if (drift !== undefined || live?.connection.session.failure() !== undefined) await lose();
  };

  const observe = async (registry: Registry): Promise<Held | GuardRefused> => {
    for (let tries = 0; tries < MAX_MEASURINGS; tries += 1) {
      const at = generation;
      const before = live;
      // Each measuring decides on what the one before it left.
      const outcome = await measureAnew(registry);
      if (outcome.ok && generation !== at) continue; // of an older generation: it says nothing of this one
      if (!outcome.ok && before !== undefined && isGone(before.connection)) {
        await lose(); // it was over before it was asked: that says nothing of what a new one shows
        continue;
      }
      await settle(outcome, at);
      return outcome.ok && held ? held : outcome;
    }
    const what = { subject: "tools/list", expected: "a list that holds still" };
    return refused(
      refuse("surface.unavailable", { ...what, actual: `changed ${MAX_MEASURINGS} times` })
        .refusals,
    );
  };

  const isOfEntry = (registry: Registry): boolean => {
    const record = registry.integrations.get(integration);
    return record?.status === "complete" && entryDigest(record.raw) === held?.admission.entryDigest;
  };
  /** Whether what is held is what the server shows now, as far as anybody can know. */
  const holds = ({ measuredAt, expiresAt, ...of }: Held): boolean => {
    if (live === undefined || of.generation !== generation) return false;
    const now = options.now();
    return measuredAt <= now && now < expiresAt;
  };

  const ready = async (): Promise<Held | GuardRefused> => {
    const current = options.registry();
    if (!current.ok) return refused(current.refusals);
    const governance = judgeGovernance(current.registry, integration, options.now());
    if (isRefused(governance)) return refused(governance);
    if (drift !== undefined) return refused(drift);
    if (live?.connection.session.failure() !== undefined) await lose();
    const isReviewed = isOfEntry(current.registry);
    if (held !== undefined && isReviewed && holds(held)) return held;
    if (!isReviewed) proven = undefined;
    // An observation that ran out is another one, also where nobody said that anything changed.
    if (held?.generation === generation) bump();
    try {
      return await observe(current.registry);
    } finally {
      live?.connection.session.rest();
    }
  };

  return {
    ready,
    session: () => live?.connection.session,
    bump,
    lose,
    forget: async () => {
      await lose();
      drift = undefined;
      held = undefined;
    },
    generation: () => generation,
  };
}

/** Whether a connection ended by itself, and not for what came on it. */
function isGone({ session }: Connection): boolean {
  return session.failure()?.refusals[0].code === "surface.unavailable";
}

/** What is no outage and no matter of the registry: the server showed another thing than was reviewed. */
function isDrift({ code }: Refusal): boolean {
  return (
    /^(surface|schema|protocol)\./.test(code) &&
    code !== "surface.unavailable" &&
    code !== "surface.empty"
  );
}

function listenTo(era: ProtocolEra): ListenRequest {
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
  };
  return { method: "subscriptions/listen", params: { ...era.params, notifications } };
}

/** What is handed on stays what was judged. */
function frozen<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) frozen(inner);
  return Object.freeze(value);
}

/** A refusal of what was not sent. */
export function refused(refusals: Refusals): GuardRefused {
  return { ok: false, refusals, sent: false };
}
