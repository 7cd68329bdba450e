import { apiHeaders } from "./requests/answers.ts";
import { BODY_LIMIT } from "./requests/json-body.ts";
import type { Router } from "./router.ts";

/** Where other services send their webhooks. It has no token: each delivery is signed with the secret of its trigger. */
const WEBHOOKS = "/hooks/:name";
export const WEBHOOK_PATH = /^\/hooks\/[^/]+$/;

/** What the server needs of triggers that wait for webhooks. */
export interface WebhookDoor {
  /** Throws for a name that nothing waits under. */
  assertWaiting(name: string): void;
  receive(
    name: string,
    delivery: { header: (name: string) => string | undefined; body: Uint8Array },
  ): Promise<{ status: number; is: string; firing?: string }>;
}

const PLAIN = /^[\x20-\x7e]*$/;

export function bindWebhooks(router: Router, webhooks: WebhookDoor): void {
  router.on("POST", WEBHOOKS, async ({ arrival, params: { name = "" } }) => {
    webhooks.assertWaiting(name);
    const body = await arrival.readBody(BODY_LIMIT);
    const header = (of: string) => {
      const [value, ...more] = arrival.headers.get(of) ?? [];
      return value !== undefined && more.length === 0 && PLAIN.test(value) ? value : undefined;
    };
    const { status, ...answer } = await webhooks.receive(name, { header, body });
    const headers = { ...apiHeaders, "x-request-id": arrival.requestId };
    return { status, headers, body: JSON.stringify({ success: true, ...answer }) };
  });
}
