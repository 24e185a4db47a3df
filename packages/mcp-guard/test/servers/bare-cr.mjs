// JSON white space for one parser, the end of a line for another.
import { speak, write } from "./speak.mjs";

speak({
  "tools/list": (id) => write(`{"jsonrpc":"2.0",\r"id":${id},"result":{"tools":[]}}`),
});
