// Lists more to a client that declares more.
import { answer, opening, speak, tool } from "./speak.mjs";

let tools = [tool("always")];
speak({
  initialize: (id, { capabilities }) => {
    tools = [tool("always"), ...Object.keys(capabilities).map((name) => tool(`with-${name}`))];
    answer(id, opening());
  },
  "tools/list": (id) => answer(id, { tools }),
});
