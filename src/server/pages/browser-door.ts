import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { routes } from "../../contract/routes/routes.ts";
import type { Clock } from "../../store/ids.ts";
import { pathTo } from "../addresses.ts";
import type { Env } from "../arrival.ts";
import { answerOutcome } from "../requests/answers.ts";
import { decodeBody, parseQuery, readBytes } from "../requests/request-input.ts";
import { checked } from "../requests/schema-check.ts";
import type { BrowserLinks } from "./browser-links.ts";
import { cookieHeader, makeSession, SESSION_SECONDS } from "./browser-session.ts";

export interface BrowserDoor {
  readonly links: BrowserLinks;
  readonly token: string;
  /** The name of the cookie. */
  readonly cookie: string;
  readonly clock: Clock;
}

/** Whoever sends it has shown no token yet. */
const CODE_BYTES = 4_096;

/** Signs browsers in and out: the answers that set a cookie. */
export function bindDoor(app: Hono<Env>, { links, token, cookie, clock }: BrowserDoor): void {
  app.post(pathTo("openBrowserSession"), async ({ var: { arrival } }) => {
    const route = routes.openBrowserSession;
    parseQuery(arrival.search, undefined);
    const { code } = checked(route.body, decodeBody(await readBytes(arrival, route, CODE_BYTES), route));
    links.redeem(code);
    const expires = Math.floor(clock().getTime() / 1_000) + SESSION_SECONDS;
    const session = makeSession({ token, id: randomBytes(16).toString("base64url"), expires });
    const answer = { key: session.key, expiresAt: new Date(expires * 1_000).toISOString() };
    const outcome = { status: route.status, body: JSON.stringify(answer), etag: undefined };
    const header = cookieHeader(cookie, session.cookie, SESSION_SECONDS);
    return answerOutcome(outcome, arrival.requestId, { "set-cookie": header });
  });
  app.delete(pathTo("closeBrowserSession"), async ({ var: { arrival } }) => {
    const route = routes.closeBrowserSession;
    parseQuery(arrival.search, undefined);
    decodeBody(await readBytes(arrival, route, CODE_BYTES), route);
    const outcome = { status: 200, body: JSON.stringify({ success: true }), etag: undefined };
    return answerOutcome(outcome, arrival.requestId, { "set-cookie": cookieHeader(cookie, "", 0) });
  });
}
