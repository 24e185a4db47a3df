import {
  APPROVAL_LIFE_MS,
  CONSENT_STATES,
  mayMove,
  REQUEST_LIFE_MS,
  TRANSITIONS,
} from "@eve/consent-binding";
import { describe, expect, it } from "vitest";

describe("the states of a consent", () => {
  it("are these six, with these seven moves", () => {
    const moves = CONSENT_STATES.flatMap((from) =>
      CONSENT_STATES.filter((to) => mayMove(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(moves).toEqual([
      "pending → approved",
      "pending → declined",
      "pending → expired",
      "pending → voided",
      "approved → consumed",
      "approved → expired",
      "approved → voided",
    ]);
  });

  it.each(["consumed", "declined", "expired", "voided"] as const)("nothing leaves %s", (state) => {
    expect(TRANSITIONS[state]).toEqual([]);
  });

  it("live ten minutes as a request and ten as an approval", () => {
    expect([REQUEST_LIFE_MS, APPROVAL_LIFE_MS]).toEqual([10 * 60 * 1000, 10 * 60 * 1000]);
  });
});
