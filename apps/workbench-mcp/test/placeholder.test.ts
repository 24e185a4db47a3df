import { expect, test } from "vitest";
import { isPlaceholder } from "../src/placeholder.ts";

test.each([
  "${OSHUN_WORKBENCH_TOKEN}",
  "${env:OSHUN_WORKBENCH_TOKEN}",
  "$OSHUN_WORKBENCH_TOKEN",
  "%OSHUN_WORKBENCH_TOKEN%",
  "{{token}}",
  "<token>",
  "<your token here>",
  "changeme",
  "CHANGE_ME",
  "change-me",
  "your-token",
  "YOUR_TOKEN_HERE",
  "token",
  "secret",
  "placeholder",
  "todo",
  "xxxx",
  "********",
  "…",
  "eve_live_agent_${TOKEN}",
  "eve_live_agent_<43 characters>",
  "eve_live_agent_your-token",
  `eve_live_agent_${"x".repeat(43)}`,
  "  changeme  ",
])("takes %j for a placeholder", (text) => expect(isPlaceholder(text)).toBe(true));

test.each([`my-${"a1".repeat(20)}`, `${"b2".repeat(19)}_here`, `the_${"c3".repeat(19)}x`])(
  "takes the random part %j for no placeholder, whatever words it holds",
  (random) => {
    expect(random).toHaveLength(43);
    expect(isPlaceholder(`eve_live_agent_${random}`)).toBe(false);
  },
);
