// Honest: three pages of tools, the second behind the cursor "".
import { answer, speak, tool } from "./speak.mjs";

const pages = new Map([
  [undefined, { tools: [tool("first")], nextCursor: "" }],
  ["", { tools: [tool("second")], nextCursor: "last" }],
  ["last", { tools: [tool("third")] }],
]);
speak({ "tools/list": (id, { cursor }) => answer(id, pages.get(cursor)) });
