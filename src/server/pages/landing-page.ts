import { html } from "./html.ts";
import { type Page, standalonePage } from "./page.ts";

const RELOAD_SECONDS = 2;

/** In place of a dashboard that is being built. It makes way for it with the address it has: the code of a link stays, and lets in. */
export function landingPage(): Page {
  return standalonePage(
    "Guildhall",
    html`<main>
<h1>Guildhall is running</h1>
<p>This daemon manages the roles, projects and tasks of one workspace: it runs agents, calls models,
enforces the budget and holds results for your review. Use it with the <code>guildhall</code> command or
the HTTP API.</p>
<p><strong>The dashboard is being built.</strong> In a source checkout, <code>guildhall up</code> builds it in a few
seconds. This page checks for it every ${RELOAD_SECONDS} seconds.
If the dashboard does not appear, run <code>npm run build</code> in the program's folder to see the error.</p>
<p><a href="/api/docs">API reference</a></p>
</main>`,
    { reloads: { seconds: RELOAD_SECONDS } },
  );
}
