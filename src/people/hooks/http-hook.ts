import { faultCode } from "../../runs/notify/webhook.ts";
import type { HookEnd } from "./hook-answer.ts";
import { MOST_KEPT } from "./hook-limits.ts";

interface Post {
  url: string;
  input: string;
  timeoutMs: number;
  /** Aborted when the daemon stops. */
  closing: AbortSignal;
}

/** Never rejects. */
export async function postHook({ url, input, timeoutMs, closing }: Post): Promise<HookEnd> {
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "guildhall" },
      body: input,
      redirect: "manual",
      signal: AbortSignal.any([timeout, closing]),
    });
    const body = await bounded(response);
    if (body === undefined) return { kind: "unable", reason: "it answered with more than 64 kB" };
    return { kind: "status", status: response.status, body };
  } catch (error) {
    if (timeout.aborted) return { kind: "unable", reason: `it did not answer within ${timeoutMs / 1_000} s` };
    return { kind: "unable", reason: `it could not be reached (${faultCode(error)})` };
  }
}

/** Undefined when there is more than is kept. */
async function bounded(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_KEPT) {
      await response.body?.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
