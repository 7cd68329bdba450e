import type { Escalation } from "../contract/documents/escalation.ts";
import { urgencyOf } from "../contract/documents/escalation-urgency.ts";
import { HallError } from "../contract/errors.ts";
import type { Clock } from "../store/ids.ts";
import type { StoredEscalation } from "../workspace/escalations/escalations.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { type DocumentDesk, escalationDesk } from "./escalation-desk.ts";
import { openQueue, type QueueParts } from "./queue/open-queue.ts";
import { openReach, type ReachOptions } from "./reach/open-reach.ts";

interface Parts extends Omit<QueueParts, "shown">, Pick<ReachOptions, "config" | "channels" | "onTrouble"> {
  hall: Hall;
  clock: Clock;
}

/** The queue of decisions. */
export function openPeople(parts: Parts) {
  const { hall, clock } = parts;
  const shown = (stored: StoredEscalation): Escalation => ({ ...stored, urgency: urgencyOf(stored, clock()) });
  const none = async (): Promise<Escalation> => {
    throw new HallError("escalation_not_found", "There is no such escalation.");
  };
  const documents: DocumentDesk = {
    get: async (id) => shown(await hall.escalations.get(id)),
    ask: async () => ({ escalation: await none(), outcome: "asked" }),
    resolve: none,
    promote: none,
    dismiss: none,
    undo: none,
    snooze: none,
    hand: none,
  };
  const queue = openQueue({ ...parts, shown });
  const desk = escalationDesk({ documents, derived: queue.derived, list: (query) => queue.list.list(query) });
  const reach = openReach({
    ...parts,
    desk,
    pending: () => queue.list.pending({ snoozed: true }),
    documents: () => hall.escalations.open().map(shown),
    derived: queue.derived,
    expire: async () => undefined,
  });
  return { desk, queue, start: reach.start, close: reach.close };
}
