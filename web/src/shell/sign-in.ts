import { call } from "../api/client.ts";
import { keepPageKey } from "../api/page-key.ts";

const ENTER = "#/enter/";

/** Exchanges the one-time code of the link that brought the person here. The code leaves the address at once. */
export async function enterByLink(): Promise<void> {
  if (!location.hash.startsWith(ENTER)) return;
  const code = location.hash.slice(ENTER.length);
  history.replaceState(null, "", location.pathname + location.search);
  const { key } = await call("openBrowserSession", { body: { code } });
  keepPageKey(key);
}

/** This browser gets back in with a new link only. */
export async function signOut(): Promise<void> {
  await call("closeBrowserSession");
  keepPageKey(undefined);
  location.replace("/");
}
