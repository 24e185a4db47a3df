// Answers a request that was not asked yet.
import { answer, speak, tool } from "./speak.mjs";

speak({ "tools/list": (id) => answer(id + 1, { tools: [tool("one")] }) });
