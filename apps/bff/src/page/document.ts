import { createHash } from "node:crypto";
import { type Markup, markup } from "./markup.ts";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 1rem; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.1rem; margin-top: 1.5rem; }
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; direction: ltr; unicode-bidi: bidi-override; }
pre { border: 1px solid; overflow-wrap: anywhere; padding: .5rem; white-space: pre-wrap; }
mark { background: #b00020; color: #fff; }
label { display: block; font-weight: 600; margin-top: .8rem; }
input, textarea { box-sizing: border-box; font: inherit; padding: .4rem; width: 100%; }
button { font: inherit; margin: 1rem .8rem 0 0; padding: .6rem 1.2rem; }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
`;

/** No script, no outside resource, no frame; forms go to the page's own origin. */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A whole page. It needs no script. */
export function pageDocument(title: string, main: Markup): string {
  const style: Markup = { html: STYLE };
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Eve workbench</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.html;
}
