import { call } from "../api/client.ts";
import { keepPageKey, pageKey } from "../api/page-key.ts";

const ENTER = "#/enter/";

/**
 * Exchanges the one-time code of the link that brought the person here. The code leaves the address at once. A link that is
 * worth nothing any more does not put out who is in already.
 */
export async function enterByLink(): Promise<void> {
  addEventListener("hashchange", enterHere);
  if (!isLink()) return;
  const code = location.hash.slice(ENTER.length);
  history.replaceState(null, "", location.href.replace(location.hash, ""));
  try {
    keepPageKey((await call("openBrowserSession", { body: { code } })).key);
  } catch (error) {
    if (pageKey() === undefined) throw error;
  }
}

function isLink(): boolean {
  return location.hash.startsWith(ENTER);
}

/** A link that is put into the address of a tab that is open loads nothing by itself. */
function enterHere(): void {
  if (isLink()) location.reload();
}

/** This browser gets back in with a new link only. */
export async function signOut(): Promise<void> {
  await call("closeBrowserSession");
  keepPageKey(undefined);
  location.replace("/");
}
