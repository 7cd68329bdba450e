import type { Context } from "../context.ts";
import { reconnecting, type Watched } from "./reconnecting.ts";

const INTERRUPTED = 130;

interface Followed<Ended> extends Watched<Ended> {
  everyMs: number;
  draw: () => void;
  clear: () => void;
  /** Somebody stopped following: says that it goes on, and how to follow it again. */
  leave: () => void;
}

/** Shows something until it has ended, and answers how. Ctrl-C leaves it at work. */
export async function following<Ended>(followed: Followed<Ended>, context: Context): Promise<Ended> {
  const { host } = context;
  const { everyMs, draw, clear, leave, ...watched } = followed;
  const stop = host.time.every(everyMs, draw);
  host.onInterrupt(() => {
    leave();
    host.exit(INTERRUPTED);
  });
  try {
    return await reconnecting(watched, context);
  } finally {
    stop();
    clear();
    host.onInterrupt(undefined);
  }
}
