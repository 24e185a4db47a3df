import { answer, speak, tool } from "./speak.mjs";

speak({ "tools/list": (id) => answer(id, { tools: [tool("one")], nextCursor: 2 }) });
