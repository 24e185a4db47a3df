// The backend behind its second page is gone.
import { answer, fail, speak, tool } from "./speak.mjs";

speak({
  "tools/list": (id, { cursor }) =>
    cursor === undefined ? answer(id, { tools: [tool("one")], nextCursor: "2" }) : fail(id, -32603),
});
