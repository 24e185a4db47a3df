import { answer, speak, tool } from "./speak.mjs";

speak({
  "tools/list": (id, { cursor }) =>
    cursor === undefined ? answer(id, { tools: [tool("one")], nextCursor: "2" }) : process.exit(78),
});
