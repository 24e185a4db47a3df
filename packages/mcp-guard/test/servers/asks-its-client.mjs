// Asks for more than listing before it lists, and shows in its tools what it was answered.
import { answer, speak, tool, write } from "./speak.mjs";

const methods = ["ping", "roots/list", "sampling/createMessage", "elicitation/create"];
const answered = [];
let listId;
speak({
  "tools/list": (id) => {
    listId = id;
    methods.forEach((method, at) =>
      write(JSON.stringify({ jsonrpc: "2.0", id: `ask-${at}`, method })),
    );
  },
  onAnswer: (id, { error }) => {
    const method = methods[Number(id.slice("ask-".length))];
    answered.push(tool(`${method} ${error ? error.code : "answered"}`));
    if (answered.length === methods.length) answer(listId, { tools: answered });
  },
});
