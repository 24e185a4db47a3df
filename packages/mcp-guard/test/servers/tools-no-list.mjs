import { answer, speak } from "./speak.mjs";

speak({ "tools/list": (id) => answer(id, { tools: { SERVER: "TEXT" } }) });
