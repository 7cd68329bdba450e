import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";

export interface Page {
  readonly html: string;
  /** For the Content-Security-Policy: the page's one style, its one script if it has one, and nothing else. */
  readonly styleHash: string;
  readonly scriptHash?: string;
}

/** A page that stands alone: it loads nothing. With `reloads` it loads itself again, whole address and all; else it runs nothing. */
export function standalonePage(title: string, body: Html, { reloads }: { reloads?: { seconds: number } } = {}): Page {
  // A refresh by <meta> would, to an address with a fragment, load nothing.
  const script = reloads && `setTimeout(() => location.reload(), ${reloads.seconds * 1_000})`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${script && html`<script>${new Html(script)}</script>`}
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return { html: page.text, styleHash: hashOf(STYLE), ...(script && { scriptHash: hashOf(script) }) };
}

function hashOf(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}

const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #16181c);
  --card: light-dark(#ffffff, #1e2126);
  --ink: light-dark(#22252a, #e4e4e0);
  --faint: light-dark(#5c6370, #9aa1ad);
  --line: light-dark(#e0ddd5, #33373f);
  --accent: light-dark(#8a4b16, #e0a26a);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 60rem;
  padding: 1.5rem 1rem 4rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
h1 { margin: 0 0 .25rem; font-size: 1.7rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
h3 { margin: 1.25rem 0 .4rem; font-size: .95rem; color: var(--faint); }
a { color: var(--accent); }
p, ul { margin: .5rem 0; }
ul { padding-left: 1.25rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 1rem 0; }
code, pre { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; }
code { overflow-wrap: anywhere; }
pre { margin: .75rem 0; padding: .75rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
.faint { color: var(--faint); }
details { margin: .4rem 0; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
summary { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; padding: .55rem .75rem; cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); }
summary .about { flex: 1 1 16rem; color: var(--faint); }
details > div { scroll-margin-top: 4rem; padding: 0 .75rem .75rem; border-top: 1px solid var(--line); }
.method { flex: none; min-width: 3.6rem; font: 600 .8rem/1.5 ui-monospace, monospace; color: var(--accent); }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 500; }
td:first-child { overflow-wrap: anywhere; min-width: 7rem; }
@media (max-width: 34rem) {
  body { padding-top: 1rem; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; }
}
`;
