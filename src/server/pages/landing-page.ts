import { html } from "./html.ts";
import { type Page, standalonePage } from "./page.ts";

const RELOAD_SECONDS = 2;

/** In place of a dashboard that is being built. It makes way for it with the address it has: the code of a link stays, and lets in. */
export function landingPage(): Page {
  return standalonePage(
    "Guildhall",
    html`<main>
<h1>Guildhall is up</h1>
<p>This daemon keeps the roles, projects and tasks of one workspace, and has agents work on them: it starts their runs,
asks the models, keeps to the budget and holds results for your review. Talk to it with the <code>guildhall</code> command or
over its HTTP API.</p>
<p><strong>Its dashboard is not there yet.</strong> In a checkout of the sources <code>guildhall up</code> builds it, which takes a few
seconds. This page looks for it every ${RELOAD_SECONDS} seconds and makes way for it.
If the dashboard does not come, <code>npm run build</code> in the folder of the program tells why.</p>
<p><a href="/api/docs">Read how the API works</a></p>
</main>`,
    { reloads: { seconds: RELOAD_SECONDS } },
  );
}
