import { answer, speak, tool } from "./speak.mjs";

speak({
  "tools/list": (id) =>
    answer(id, { tools: Array.from({ length: 4097 }, (_, at) => tool(`t${at}`)) }),
});
