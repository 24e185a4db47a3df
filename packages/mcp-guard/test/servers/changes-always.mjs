import { answer, note, speak, tool } from "./speak.mjs";

speak({
  "tools/list": (id) => {
    note("notifications/tools/list_changed");
    answer(id, { tools: [tool("one")] });
  },
});
