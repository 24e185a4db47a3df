// Honest: its tools are the names of the environment it was given.
import { answer, speak, tool } from "./speak.mjs";

speak({ "tools/list": (id) => answer(id, { tools: Object.keys(process.env).map(tool) }) });
