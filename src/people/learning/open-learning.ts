import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { type OpenSubscription, subscribe } from "../../workspace/events/event-subscriber.ts";
import type { Handled, SubscriberPace } from "../../workspace/events/subscriber-parts.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Together } from "../../workspace/together.ts";
import { type Learned, learned } from "./lesson-edits.ts";

interface Options {
  core: Core;
  hall: Pick<Hall, "escalations" | "knowledge">;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<SubscriberPace> | undefined;
}

const AFTER = new Set<HallEvent["type"]>([
  "escalation.created",
  "escalation.updated",
  "escalation.resolved",
  "escalation.reopened",
]);
/** There is nothing left to learn for. */
const GONE = new Set<string>(["escalation_not_found", "project_not_found", "project_closed"]);

/** Turns answers into statements. Follows the event log, so that none is missed, whatever happens to the daemon. */
export function openLearning({ core, hall, onTrouble, pace }: Options): Promise<OpenSubscription> {
  return subscribe({
    core,
    name: "learning",
    words: { title: "Knowledge from answers", item: "answer" },
    wants: ({ type }) => AFTER.has(type),
    keyOf: ({ subject }) => subject.id,
    handle: ({ subject }) => handled(() => learn(hall, subject.id)),
    random: Math.random,
    onTrouble,
    pace,
  });
}

async function handled(work: () => Promise<unknown>): Promise<Handled> {
  try {
    await work();
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    return GONE.has(error.code) ? { kind: "done" } : { kind: "retry", reason: error.message };
  }
}

type Decided = Learned & { escalation: StoredEscalation };

/** The statement and its id in the escalation become durable in one change: either both are there, or neither. */
export async function learn({ escalations, knowledge }: Options["hall"], id: string): Promise<void> {
  const { projectId } = await escalations.get(id);
  const change = { actor: BY_DAEMON, why: `answer to ${id}` };
  const carry = async ({ escalation, statementId }: Decided, part: Together | undefined): Promise<void> => {
    if (part === undefined && statementId === escalation.statementId) return;
    const { statementId: _, ...fields } = escalation;
    const next = statementId === undefined ? fields : { ...fields, statementId };
    const what = { type: "escalation.updated" as const, ...(part === undefined ? {} : { together: part }) };
    let isSecond = false;
    const edit = (current: StoredEscalation) => {
      if (isSecond || current.etag !== escalation.etag) throw new Overtaken();
      isSecond = true;
      return next;
    };
    await escalations.change(id, edit, what, change).catch((error) => {
      throw error instanceof Overtaken ? new ChangedMeanwhile(`${id} was changed in the meantime`) : error;
    });
  };
  await knowledge.weave(
    projectId,
    async (places) => {
      const escalation = await escalations.get(id);
      // Moved to another project a moment ago: the event that says so comes next.
      const isMoved = escalation.projectId !== projectId;
      const next = isMoved ? { edits: [], statementId: escalation.statementId } : learned(escalation, places);
      return { ...next, escalation };
    },
    { carry, change },
  );
}

/** The escalation, or a page, is not what the change was made from: everything is decided again. */
class Overtaken extends Error {}
