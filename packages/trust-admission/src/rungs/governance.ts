import {
  addCalendarMonths,
  HEALTH_WINDOW_MS,
  instantMs,
  isPublishing,
  REVIEW_WINDOW_MONTHS,
  reviewSubject,
} from "@eve/registry-schema";
import type { Refusal } from "@eve/registry-schema";
import { type Governance, no, type Rung } from "../rung.ts";
import { formatNow, judgeDates } from "./dated.ts";

const kind: Rung<Governance> = {
  name: "kind",
  judge: ({ entry }) =>
    entry.kind === "mcp-server"
      ? []
      : no(entry, "entry.agent_not_adopted", "kind", "mcp-server", entry.kind),
};

const lifecycle: Rung<Governance> = {
  name: "lifecycle",
  judge: ({ entry }) => {
    const { state } = entry.lifecycle;
    if (state === "active") return [];
    return no(
      entry,
      state === "revoked" ? "lifecycle.revoked" : "lifecycle.quarantined",
      "lifecycle.state",
      "active",
      state,
    );
  },
};

const dependencyGates: Rung<Governance> = {
  name: "dependency gates",
  judge: ({ entry, registry, now }) => {
    if (entry.origin === "first-party") return [];
    const unmet = registry.dependencyGates.filter(
      (gate) => !(gate.status === "met" && instantMs(gate.metAt) <= now),
    );
    if (unmet.length === 0) return [];
    return no(
      entry,
      "gates.unmet",
      "dependencyGates",
      "all gates met",
      `unmet: ${unmet.map(({ task, subject }) => `${task} ${subject}`).join(", ")}`,
    );
  },
};

const health: Rung<Governance> = {
  name: "health",
  judge: ({ entry, now }) => {
    const { status, observedAt, expiresAt } = entry.health;
    const latestExpiryMs = instantMs(observedAt) + HEALTH_WINDOW_MS;
    return [
      ...(status === "healthy"
        ? []
        : no(
            entry,
            status === "unhealthy" ? "health.unhealthy" : "health.unknown",
            "health.status",
            "healthy",
            status,
          )),
      ...judgeDates(
        entry,
        {
          part: "health",
          observedField: "health.observedAt",
          observedAt,
          expiresAt,
          latestExpiryMs,
        },
        now,
      ),
    ];
  },
};

const evaluation: Rung<Governance> = {
  name: "evaluation",
  judge: ({ entry, now }) => {
    const { status, observedAt, expiresAt } = entry.evaluation;
    const latestExpiryMs = addCalendarMonths(instantMs(observedAt), REVIEW_WINDOW_MONTHS);
    return [
      ...(status === "passed"
        ? []
        : no(
            entry,
            status === "failed" ? "evaluation.failed" : "evaluation.pending",
            "evaluation.status",
            "passed",
            status,
          )),
      ...judgeDates(
        entry,
        {
          part: "evaluation",
          observedField: "evaluation.observedAt",
          observedAt,
          expiresAt,
          latestExpiryMs,
        },
        now,
      ),
    ];
  },
};

const review: Rung<Governance> = {
  name: "review",
  judge: (on) => [...independence(on), ...basis(on), ...reviewDates(on), ...unreviewed(on)],
};

function independence({ entry }: Governance): readonly Refusal[] {
  const needsAnotherTeam = isPublishing(entry.riskClass) || entry.origin === "third-party";
  if (!needsAnotherTeam || entry.review.reviewer !== entry.owner.team) return [];
  return no(
    entry,
    "review.not_independent",
    "review.reviewer",
    `another team than ${entry.owner.team}`,
    entry.review.reviewer,
  );
}

function basis({ entry }: Governance): readonly Refusal[] {
  if (entry.review.basis === "reviewed" || entry.deployment !== "production") return [];
  return no(entry, "review.basis_refused", "review.basis", "reviewed", entry.review.basis);
}

function reviewDates({ entry, now }: Governance): readonly Refusal[] {
  const { reviewedAt, expiresAt } = entry.review;
  const latestExpiryMs = addCalendarMonths(instantMs(reviewedAt), REVIEW_WINDOW_MONTHS);
  return judgeDates(
    entry,
    {
      part: "review",
      observedField: "review.reviewedAt",
      observedAt: reviewedAt,
      expiresAt,
      latestExpiryMs,
    },
    now,
  );
}

function unreviewed({ entry, registry }: Governance): readonly Refusal[] {
  const record = registry.integrations.get(entry.id);
  const actual = record?.status === "complete" ? reviewSubject(record.raw) : "no record";
  return actual === entry.review.subject
    ? []
    : no(entry, "review.subject_changed", "review.subject", entry.review.subject, actual);
}

const clock: Rung<Governance> = {
  name: "clock",
  judge: ({ entry, registry, now }) =>
    Number.isSafeInteger(now) && now >= registry.newestObservationMs
      ? []
      : no(
          entry,
          "clock.behind",
          "clock",
          `no earlier than ${formatNow(registry.newestObservationMs)}`,
          formatNow(now),
        ),
};

/** The rungs that need only the registry and the clock, in order. They are repeated before every call. */
export const GOVERNANCE_RUNGS: readonly Rung<Governance>[] = [
  kind,
  lifecycle,
  dependencyGates,
  health,
  evaluation,
  review,
  clock,
];
