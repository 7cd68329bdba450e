import type { Escalation } from "../contract/documents/escalation.ts";
import { urgencyOf } from "../contract/documents/escalation-urgency.ts";
import { HallError } from "../contract/errors.ts";
import type { EscalationQuery } from "../contract/routes/people/escalation-routes.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { Core } from "../workspace/core.ts";
import type { StoredEscalation } from "../workspace/escalations/escalations.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { IndexedRun } from "../workspace/records.ts";
import { learningDesk } from "./learning/learning-desk.ts";
import { openLearning } from "./learning/open-learning.ts";

interface Options {
  core: Core;
  hall: Hall;
  planOf: (run: IndexedRun) => RunPlan | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** The queue of decisions. */
export async function openPeople({ core, hall, planOf, onTrouble }: Options) {
  const { clock } = core;
  const learning = await openLearning({ core, hall, onTrouble });
  const none = async (): Promise<Escalation> => {
    throw new HallError("escalation_not_found", "There is no such escalation.");
  };
  const shown = (stored: StoredEscalation): Escalation => ({ ...stored, urgency: urgencyOf(stored, clock()) });
  return {
    part: { problems: () => learning.problems() },
    close: () => learning.close(),
    learning: learningDesk({ core, hall, planOf }),
    desk: {
      list: async (query: EscalationQuery) => {
        const page = hall.escalations.list(query);
        return { ...page, escalations: page.escalations.map(shown) };
      },
      get: async (id: string) => shown(await hall.escalations.get(id)),
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
