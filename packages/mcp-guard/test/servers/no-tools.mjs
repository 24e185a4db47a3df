// A gateway while it warms up.
import { answer, speak } from "./speak.mjs";

speak({ "tools/list": (id) => answer(id, { tools: [] }) });
