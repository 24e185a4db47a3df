import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stateFolder } from "../src/state-folder.ts";

const home = (...parts: readonly string[]): string =>
  join(homedir(), ...parts, "eve", "last-refusal");

describe("the folder of last refusals", () => {
  test.each([
    ["XDG_STATE_HOME", { XDG_STATE_HOME: "/s" }, "/s/eve/last-refusal"],
    ["the home folder where that is not set", {}, home(".local", "state")],
    ["the home folder where that is empty", { XDG_STATE_HOME: "" }, home(".local", "state")],
    [
      "the home folder where that is relative, as the specification says",
      { XDG_STATE_HOME: "s" },
      home(".local", "state"),
    ],
  ])("is in %s", (_title, env, folder) => {
    expect(stateFolder(env, "linux")).toBe(folder);
  });

  test.each([
    ["LOCALAPPDATA", { LOCALAPPDATA: "/local", XDG_STATE_HOME: "/s" }, "/local/eve/last-refusal"],
    ["the home folder where that is not set", {}, home("AppData", "Local")],
  ])("on Windows is in %s", (_title, env, folder) => {
    expect(stateFolder(env, "win32")).toBe(folder);
  });
});
