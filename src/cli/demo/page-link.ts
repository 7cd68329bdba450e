import type { Connection } from "../connection.ts";
import { exchange } from "../wire.ts";

/** A link that opens the dashboard signed in, once; the address alone where the hall gives out no links. */
export async function pageLink({ origin, token }: Connection): Promise<string> {
  try {
    const answer = await exchange({
      method: "POST",
      origin,
      path: "/api/browser/links",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-guildhall-client": "cli" },
      body: "{}",
      silenceMs: 5_000,
    });
    const parts: Buffer[] = [];
    for await (const part of answer.body) parts.push(part);
    const { url } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { url?: unknown };
    if (answer.status < 300 && typeof url === "string") return url;
  } catch {
    // An older hall; its address still shows where it is.
  }
  return origin.origin;
}
