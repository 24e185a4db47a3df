import { spawnSync } from "node:child_process";
import { type Launch, withEnvironment } from "./trial.ts";

/** Whether programs can be run on another clock here; under CI they must be. */
export function canFakeClock(): boolean {
  return process.env["CI"] === "true" || spawnSync("faketime", ["--version"]).error === undefined;
}

/** What a suite adds to its title where it did not run. */
export function fakedClockNote(): string {
  if (canFakeClock()) return "";
  const note = " (NOT RUN: no program faketime)";
  console.warn(note.trim());
  return note;
}

/** The same launch on a clock that stands still at an instant, whole seconds of UTC: `2028-02-29T00:00:00Z`. */
export function atInstant(launch: Launch, instant: string): Launch {
  const time = /^(?<day>\d{4}-\d\d-\d\d)T(?<hour>\d\d:\d\d:\d\d)Z$/.exec(instant)?.groups;
  if (!time) throw new TypeError(`no whole second of UTC: ${instant}`);
  return {
    ...withEnvironment(launch, {
      TZ: "UTC",
      // What a program waits for goes on.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      LD_PRELOAD: undefined,
      FAKETIME: undefined,
      FAKETIME_SHARED: undefined,
    }),
    command: "faketime",
    args: ["-f", `${time["day"]} ${time["hour"]}`, launch.command, ...launch.args],
  };
}
