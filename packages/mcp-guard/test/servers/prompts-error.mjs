import { answer, fail, opening, speak, tool } from "./speak.mjs";

speak({
  initialize: (id) => answer(id, opening({ tools: {}, prompts: {} })),
  "tools/list": (id) => answer(id, { tools: [tool("one")] }),
  "prompts/list": (id) => fail(id, -32603),
});
