// 64 MiB without a newline.
import { speak } from "./speak.mjs";

speak({
  "tools/list": () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent < 64; sent += 1) process.stdout.write(chunk);
  },
});
