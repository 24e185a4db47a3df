// 2026-07-28: an answer that says it is something else than complete.
import { answer, speak, tool } from "./speak.mjs";

speak({
  "server/discover": (id) =>
    answer(id, {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      resultType: "complete",
    }),
  "tools/list": (id) => answer(id, { tools: [tool("one")], resultType: "approved" }),
});
