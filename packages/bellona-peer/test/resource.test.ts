import { describe, expect, it } from "vitest";
import { parseResource } from "../src/index.ts";
import { buildWith } from "./kit.ts";

describe("a resource identifier", () => {
  it.each([
    ["http://127.0.0.1:4093/mcp", "http://127.0.0.1:4093/.well-known/oauth-protected-resource/mcp"],
    ["http://[::1]:4093/mcp", "http://[::1]:4093/.well-known/oauth-protected-resource/mcp"],
    [
      "https://bellona.eve.example/a/mcp",
      "https://bellona.eve.example/.well-known/oauth-protected-resource/a/mcp",
    ],
  ])("%s has its metadata at %s", (identifier, metadataUrl) => {
    expect(parseResource(identifier)).toMatchObject({ identifier, metadataUrl });
  });

  it.each([
    "http://bellona.eve.example/mcp",
    "http://localhost:4093/mcp",
    "http://127.0.0.2:4093/mcp",
    "https://bellona.eve.example",
    "https://bellona.eve.example/",
    "https://bellona.eve.example/mcp/",
    "https://bellona.eve.example/mcp?x=1",
    "https://bellona.eve.example/mcp?",
    "https://bellona.eve.example/mcp#x",
    "https://bellona.eve.example/mcp#",
    "https://user@bellona.eve.example/mcp",
    "https://bellona.eve.example:443/mcp",
    "https://Bellona.eve.example/mcp",
    "https://bellona.eve.example/a/../mcp",
    "https://bellona.eve.example/%6dcp",
    "https://bellona.eve.example/:id",
    "https://bellona.eve.example/*",
    "https://bellona.eve.example//mcp",
    "ftp://bellona.eve.example/mcp",
    "mcp",
    "",
  ])("%j is refused: config.resource_invalid", async (identifier) => {
    await expect(buildWith({ resource: identifier })).rejects.toMatchObject({
      name: "BellonaError",
      code: "config.resource_invalid",
    });
  });
});

describe("an issuer", () => {
  it.each(["https://issuer.eve.example", "https://issuer.eve.example/a", "http://127.0.0.1:9/"])(
    "%s is taken",
    async (issuer) => {
      await expect(buildWith({ issuer })).resolves.toBeUndefined();
    },
  );

  it.each([
    "http://issuer.eve.example",
    "https://issuer.eve.example?x",
    "https://issuer.eve.example#x",
    "https://user:secret@issuer.eve.example",
    "javascript:alert(1)",
    "",
  ])("%j is refused: config.issuer_invalid", async (issuer) => {
    await expect(buildWith({ issuer })).rejects.toMatchObject({ code: "config.issuer_invalid" });
  });
});
