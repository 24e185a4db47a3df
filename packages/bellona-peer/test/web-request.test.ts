import { fastify, type FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { parseResource } from "../src/index.ts";
import { webRequestOf } from "../src/web-request.ts";
import { LIST } from "./kit.ts";

describe("what is handed on behind the gate (MUST-RS-06)", () => {
  it("has the exact body and the protocol's headers, and neither bearer nor cookie", async () => {
    const resource = parseResource("http://127.0.0.1:4093/mcp");
    const app = fastify();
    const answerWithWhatIsHandedOn = async (request: FastifyRequest): Promise<object> => {
      const body = new TextEncoder().encode(LIST);
      const web = webRequestOf(request, resource, body, AbortSignal.timeout(1_000));
      return { url: web.url, headers: Object.fromEntries(web.headers), body: await web.text() };
    };
    app.route({ method: "POST", url: "/mcp", handler: answerWithWhatIsHandedOn });
    const answer = await app.inject({
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: "Bearer CANARY",
        cookie: "session=CANARY",
        "proxy-authorization": "Basic CANARY",
        "mcp-method": "tools/list",
        "content-type": "application/json",
      },
      payload: LIST,
    });
    await app.close();
    expect(answer.body).not.toContain("CANARY");
    expect(answer.json()).toMatchObject({
      url: resource.identifier,
      body: LIST,
      headers: { "mcp-method": "tools/list", "content-type": "application/json" },
    });
  });
});
