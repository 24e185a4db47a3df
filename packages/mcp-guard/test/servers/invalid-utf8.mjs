import { speak } from "./speak.mjs";

speak({ "tools/list": () => process.stdout.write(Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a])) });
