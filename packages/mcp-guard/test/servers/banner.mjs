import { answer, speak, tool, write } from "./speak.mjs";

write("SERVER TEXT: listening on stdio");
speak({ "tools/list": (id) => answer(id, { tools: [tool("one")] }) });
