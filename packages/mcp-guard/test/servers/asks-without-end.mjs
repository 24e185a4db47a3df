import { speak, write } from "./speak.mjs";

let id = 0;
const ask = () => write(JSON.stringify({ jsonrpc: "2.0", id: `ask-${(id += 1)}`, method: "ping" }));
speak({ "tools/list": ask, onAnswer: ask });
