// Its pages end where it likes: the cursor comes back.
import { answer, speak, tool } from "./speak.mjs";

let page = 0;
speak({
  "tools/list": (id) => {
    page += 1;
    answer(id, { tools: [tool(`tool-${page}`)], nextCursor: page % 2 ? "a" : "b" });
  },
});
