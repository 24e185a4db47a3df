// 2026-07-28, honest: pages, unknown members, and `_meta` required on every request.
import { answer, fail, speak, tool } from "./speak.mjs";

const complete = {
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
  future: { kept: true },
};
const whole = (params) =>
  params?.["_meta"]?.["io.modelcontextprotocol/protocolVersion"] === "2026-07-28";
speak({
  "server/discover": (id, params) =>
    whole(params)
      ? answer(id, {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
          instructions: "",
          ...complete,
        })
      : fail(id, -32602),
  "tools/list": (id, params) => {
    if (!whole(params)) return fail(id, -32602);
    if (params.cursor === "") return answer(id, { tools: [tool("second")], ...complete });
    answer(id, { tools: [{ ...tool("first"), future: 1 }], nextCursor: "", ...complete });
  },
});
