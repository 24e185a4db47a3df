// Never answers tools/list, but keeps sending notifications.
import { note, speak } from "./speak.mjs";

speak({
  "tools/list": () => {
    setInterval(() => note("notifications/message"), 10);
  },
});
