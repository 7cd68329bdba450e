import { randomBytes } from "node:crypto";
import { routes } from "../../contract/routes/routes.ts";
import type { Clock } from "../../store/ids.ts";
import { pathTo } from "../addresses.ts";
import type { Arrival } from "../arrival.ts";
import { answerOutcome } from "../requests/answers.ts";
import { decodeBody, parseQuery, readBytes } from "../requests/request-input.ts";
import { checked } from "../requests/schema-check.ts";
import type { Router } from "../router.ts";
import type { BrowserLinks, Grant } from "./browser-links.ts";
import { cookieHeader, makeSession, SESSION_SECONDS } from "./browser-session.ts";
import { deviceName, type PairedDevices } from "./pairing.ts";

export interface BrowserDoor {
  readonly links: BrowserLinks;
  readonly token: string;
  /** The name of the cookie. */
  readonly cookie: string;
  readonly clock: Clock;
  readonly devices: PairedDevices;
  /** Of this machine, in lower case. A browser that comes under another name is a device, which can be signed out. */
  readonly ownHosts: ReadonlySet<string>;
}

/** Whoever sends it has shown no token yet. */
const CODE_BYTES = 4_096;

/** Signs browsers in and out: the answers that set a cookie. */
export function bindDoor(router: Router, { links, token, cookie, clock, devices, ownHosts }: BrowserDoor): void {
  router.on("POST", pathTo("openBrowserSession"), async ({ arrival }) => {
    const route = routes.openBrowserSession;
    parseQuery(arrival.search, undefined);
    const { code } = checked(route.body, decodeBody(await readBytes(arrival, route, CODE_BYTES), route));
    const given = links.redeem(code);
    const isOwn = ownHosts.has(arrival.authority.toLowerCase());
    const grant: Grant = given.kind === "browser" && !isOwn ? { kind: "device", name: undefined } : given;
    const now = clock();
    const expires = Math.floor(now.getTime() / 1_000) + SESSION_SECONDS;
    const id = randomBytes(16).toString("base64url");
    const session = makeSession({ token, id, expires, kind: grant.kind });
    const answer = { key: session.key, expiresAt: new Date(expires * 1_000).toISOString() };
    if (grant.kind === "device") {
      const at = now.toISOString();
      const name = grant.name ?? deviceName(arrival.headers.get("user-agent")?.[0] ?? "");
      devices.add({ id, name, pairedAt: at, lastSeenAt: at, expiresAt: answer.expiresAt });
    }
    const outcome = { status: route.status, body: JSON.stringify(answer), etag: undefined };
    const header = cookieHeader(cookie, session.cookie, { seconds: SESSION_SECONDS, secure: isEncrypted(arrival) });
    return answerOutcome(outcome, arrival.requestId, { "set-cookie": header });
  });
  router.on("DELETE", pathTo("closeBrowserSession"), async ({ arrival }) => {
    const route = routes.closeBrowserSession;
    parseQuery(arrival.search, undefined);
    decodeBody(await readBytes(arrival, route, CODE_BYTES), route);
    const session = arrival.session;
    if (session?.kind === "device") devices.remove(session.id);
    const outcome = { status: 200, body: JSON.stringify({ success: true }), etag: undefined };
    const header = cookieHeader(cookie, "", { seconds: 0, secure: isEncrypted(arrival) });
    return answerOutcome(outcome, arrival.requestId, { "set-cookie": header });
  });
}

/** A page says where it comes from with every POST and DELETE, and the guard has checked that this is an address of ours. */
function isEncrypted({ headers, isTls }: Arrival): boolean {
  return isTls === true || headers.get("origin")?.[0]?.toLowerCase().startsWith("https://") === true;
}
