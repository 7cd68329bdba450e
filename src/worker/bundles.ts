import type { FromProcess } from "../contract/runs/protocol.ts";

/** What nobody acts on; it is only shown to those who watch. */
const SHOWN_ONLY = new Set<FromProcess["type"]>(["activity", "output"]);

/**
 * Sends over a channel where every message costs both sides a system call. What is only shown goes with the next message
 * that somebody acts on, or alone when the event loop comes round; the order stays.
 */
export function bundling(post: (messages: FromProcess[]) => void): (message: FromProcess) => void {
  let held: FromProcess[] = [];
  const flush = () => {
    if (held.length > 0) post(held);
    held = [];
  };
  return (message) => {
    held.push(message);
    if (!SHOWN_ONLY.has(message.type)) flush();
    else if (held.length === 1) setImmediate(flush);
  };
}
