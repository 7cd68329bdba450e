import type { Escalation } from "../contract/documents/escalation.ts";
import { HallError } from "../contract/errors.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { openLearning } from "./learning/open-learning.ts";

interface Options {
  core: Core;
  hall: Hall;
  onTrouble: (what: string, error: unknown) => void;
}

/** The queue of decisions. Replaced piece by piece while it is built. */
export async function openPeople({ core, hall, onTrouble }: Options) {
  const learning = await openLearning({ core, hall, onTrouble });
  const none = async (): Promise<Escalation> => {
    throw new HallError("escalation_not_found", "There is no such escalation.");
  };
  return {
    part: { problems: () => learning.problems() },
    close: () => learning.close(),
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
