import type { Escalation } from "../contract/documents/escalation.ts";
import { urgencyOf } from "../contract/documents/escalation-urgency.ts";
import { HallError } from "../contract/errors.ts";
import type { EscalationQuery } from "../contract/routes/people/escalation-routes.ts";
import type { Clock } from "../store/ids.ts";
import type { StoredEscalation } from "../workspace/escalations/escalations.ts";
import type { Hall } from "../workspace/hall/hall.ts";

interface Parts {
  hall: Pick<Hall, "escalations">;
  clock: Clock;
}

/** The queue of decisions. */
export function openPeople({ hall, clock }: Parts) {
  const none = async (): Promise<Escalation> => {
    throw new HallError("escalation_not_found", "There is no such escalation.");
  };
  const shown = (stored: StoredEscalation): Escalation => ({ ...stored, urgency: urgencyOf(stored, clock()) });
  return {
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
