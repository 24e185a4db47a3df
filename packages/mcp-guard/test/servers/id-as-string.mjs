import { answer, speak, tool } from "./speak.mjs";

speak({ "tools/list": (id) => answer(String(id), { tools: [tool("one")] }) });
