import { fail, speak } from "./speak.mjs";

speak({ "tools/list": () => fail(null, -32700) });
