// Its first listing is of two states: it changes between the pages.
import { answer, note, speak, tool } from "./speak.mjs";

let generation = 1;
speak({
  "tools/list": (id, { cursor }) => {
    if (cursor !== undefined) return answer(id, { tools: [tool(`b-${generation}`)] });
    answer(id, { tools: [tool(`a-${generation}`)], nextCursor: "b" });
    if (generation === 1) {
      generation = 2;
      note("notifications/tools/list_changed");
    }
  },
});
