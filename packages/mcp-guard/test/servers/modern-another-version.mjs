import { answer, speak } from "./speak.mjs";

speak({
  "server/discover": (id) =>
    answer(id, { supportedVersions: ["2027-01-01"], capabilities: {}, resultType: "complete" }),
});
