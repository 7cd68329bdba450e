import type { Escalation } from "../contract/documents/escalation.ts";
import { HallError } from "../contract/errors.ts";

/** The queue of decisions. Replaced piece by piece while it is built. */
export function openPeople() {
  const none = async (): Promise<Escalation> => {
    throw new HallError("escalation_not_found", "There is no such escalation.");
  };
  return {
    desk: {
      list: async () => ({ escalations: [], invalid: [], total: 0 }),
      get: none,
      ask: async () => ({ escalation: await none(), outcome: "asked" as const }),
      resolve: none,
      promote: none,
      dismiss: none,
      undo: none,
      snooze: none,
      hand: none,
    },
  };
}
