import { answer, opening, speak } from "./speak.mjs";

speak({ initialize: (id) => answer(id, { ...opening(), protocolVersion: "2024-11-05" }) });
