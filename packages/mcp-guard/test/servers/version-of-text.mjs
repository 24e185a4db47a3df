import { answer, opening, speak } from "./speak.mjs";

speak({ initialize: (id) => answer(id, { ...opening(), protocolVersion: "SERVER TEXT" }) });
