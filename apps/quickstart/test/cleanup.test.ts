import { describe, expect, it } from "vitest";
import { createCleanup } from "../src/cleanup.ts";

describe("createCleanup", () => {
  it("ends what was begun last first, each once, whatever one of them says", async () => {
    const ended: string[] = [];
    const cleanup = createCleanup();
    const ending = (name: string) => async (): Promise<void> => void ended.push(name);
    cleanup.add(ending("database"));
    cleanup.add(() => Promise.reject(new Error("it had ended already")));
    cleanup.add(ending("backend"));
    await cleanup.run();
    await cleanup.run();
    expect(ended).toEqual(["backend", "database"]);
  });
});
