import { describe, expect, it, onTestFinished } from "vitest";
import { startProvider, type TestProvider } from "../src/test-provider.ts";
import { codeOf } from "./code-of.ts";
import { query } from "./query.ts";

const NO_DOCKER = { ...process.env, DOCKER_HOST: "unix:///nowhere/docker.sock" };

async function provide(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ provider: TestProvider; warnings: readonly string[] }> {
  const warnings: string[] = [];
  const base = { ...NO_DOCKER, EVE_TEST_POSTGRES: undefined, EVE_TEST_DATABASE_URL: undefined };
  const provider = await startProvider({ ...base, ...env }, (line) => void warnings.push(line));
  onTestFinished(() => provider.stop());
  return { provider, warnings };
}

describe("where the tests' PostgreSQL comes from", () => {
  it("is the server that is named by a URL, if one is", async () => {
    const { provider } = await provide({ EVE_TEST_DATABASE_URL: "postgresql://a@127.0.0.1/b" });
    expect(provider).toMatchObject({ name: "url", adminUrl: "postgresql://a@127.0.0.1/b" });
  });

  it("is the embedded server where Docker does not answer, and the run says so once", async () => {
    const { provider, warnings } = await provide({});
    expect(provider.name).toBe("embedded");
    expect(warnings).toEqual([expect.stringMatching(/^postgres: no container .*embedded server$/)]);
    expect(await query(provider.adminUrl, "show fsync")).toEqual([{ fsync: "off" }]);
  });

  it("is the embedded server when that is pinned, without a question to Docker", async () => {
    const { provider, warnings } = await provide({ EVE_TEST_POSTGRES: "embedded" });
    expect(provider.name).toBe("embedded");
    expect(warnings).toEqual([]);
  });
});

describe("a pinned provider", () => {
  it("that is Docker does not step down where Docker does not answer: provider.unavailable", async () => {
    expect(await codeOf(() => provide({ EVE_TEST_POSTGRES: "testcontainers" }))).toBe(
      "provider.unavailable",
    );
  });

  it("that is a URL does not step down where none is given: provider.unavailable", async () => {
    expect(await codeOf(() => provide({ EVE_TEST_POSTGRES: "url" }))).toBe("provider.unavailable");
  });

  it("that nobody knows is refused: provider.unknown", async () => {
    expect(await codeOf(() => provide({ EVE_TEST_POSTGRES: "docker" }))).toBe("provider.unknown");
  });
});
