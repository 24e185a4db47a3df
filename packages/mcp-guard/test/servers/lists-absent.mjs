// Declares prompts and resources, and does not know their methods.
import { answer, opening, speak, tool } from "./speak.mjs";

speak({
  initialize: (id) => answer(id, opening({ tools: {}, prompts: {}, resources: {} })),
  "tools/list": (id) => answer(id, { tools: [tool("one")] }),
  "resources/list": (id) => answer(id, { resources: [] }),
});
