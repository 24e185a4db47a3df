import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findWorkspace } from "../src/workspace.ts";
import { newFolder, put, removeFolders } from "./scratch.ts";

afterEach(removeFolders);

describe("the workspace", () => {
  test("is the nearest registry/registry.json upwards, with its parent as root", () => {
    const folder = newFolder();
    put(folder, "registry/registry.json", "{}");
    put(folder, "inner/registry/registry.json", "{}");
    put(folder, "inner/apps/a/x", "");
    put(folder, "apps/a/x", "");
    const inner = join(folder, "inner");
    expect(findWorkspace(join(inner, "apps/a"), {})).toEqual({
      registry: join(inner, "registry"),
      root: inner,
    });
    expect(findWorkspace(join(folder, "apps/a"), {})).toEqual({
      registry: join(folder, "registry"),
      root: folder,
    });
  });

  test("is not a folder named registry without a manifest", () => {
    const folder = newFolder();
    put(folder, "registry/registry.json", "{}");
    put(folder, "inner/registry/other.json", "{}");
    expect(findWorkspace(join(folder, "inner"), {}).root).toBe(folder);
  });

  test.each([
    [{ registry: "own" }, { registry: "/w/own", root: "/w" }],
    [{ registry: "/r/own" }, { registry: "/r/own", root: "/r" }],
    [
      { registry: "own", root: ".." },
      { registry: "/w/own", root: "/" },
    ],
  ])("named %o is taken from the folder of the call", (named, found) => {
    expect(findWorkspace("/w", named)).toEqual(found);
  });

  test("that is nowhere: says where it looked and what to say", () => {
    expect(() => findWorkspace(newFolder(), {})).toThrow(
      /or above it\. Name the folder: --registry DIR\./,
    );
  });
});
