import { backoffMs, NO_JITTER } from "../../contract/backoff.ts";
import { HallError } from "../../contract/errors.ts";
import type { Context } from "../context.ts";

/** How long a stream may be silent before it counts as lost. */
export const HEARTBEATS_MISSED_MS = 45_000;
/** A daemon that restarts is back within some seconds; whoever waits longer is told. */
const MOST_FAILURES = 6;
const RECONNECT = { firstMs: 250, longestMs: 10_000 };

export interface Watched<Result> {
  /** Answers undefined when the stream ended before what it waits for. */
  watch: (onOpen: () => void) => Promise<Result | undefined>;
  /** Called once for each time the daemon goes away. */
  onAway: () => void;
  gone: () => HallError;
}

/** Watches until there is a result, also over restarts of the daemon. */
export async function reconnecting<Result>(
  { watch, onAway, gone }: Watched<Result>,
  { host }: Context,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      const result = await watch(() => {
        failures = 0;
      });
      if (result !== undefined) return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (failures >= MOST_FAILURES) throw gone();
    }
    if (failures === 0) onAway();
    await host.time.pause(backoffMs(RECONNECT, failures + 1, NO_JITTER));
  }
}

function isAway(error: unknown): boolean {
  return error instanceof HallError && (error.code === "daemon_unreachable" || error.code === "stopping");
}
