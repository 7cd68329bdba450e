import { html } from "./html.ts";
import { type Page, standalonePage } from "./page.ts";

const RELOAD_SECONDS = 2;

/**
 * In place of a dashboard that is being built. To load the very address of a link again would, for its fragment, load nothing;
 * so the code is left behind, unused, and the link works afterwards.
 */
export function landingPage(): Page {
  return standalonePage(
    "Guildhall",
    html`<main>
<h1>Guildhall is up</h1>
<p>This daemon keeps the roles, projects and tasks of one workspace, and has agents work on them: it starts their runs,
asks the models, keeps to the budget and holds results for your review. Talk to it with the <code>guildhall</code> command or
over its HTTP API.</p>
<p><strong>Its dashboard is not there yet.</strong> In a checkout of the sources <code>guildhall up</code> builds it, which takes a few
seconds. This page looks for it every ${RELOAD_SECONDS} seconds and makes way for it; if you came with a link, then open the link once more.
If the dashboard does not come, <code>npm run build</code> in the folder of the program tells why.</p>
<p><a href="/api/docs">Read how the API works</a></p>
</main>`,
    { leadsOn: { seconds: RELOAD_SECONDS, to: "/" } },
  );
}
