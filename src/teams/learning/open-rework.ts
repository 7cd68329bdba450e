import { LONGEST_STATEMENT } from "../../contract/documents/knowledge.ts";
import type { GateReport } from "../../contract/documents/quality/gate.ts";
import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { BY_DAEMON, type Core, commitAll } from "../../workspace/core.ts";
import { type OpenSubscription, subscribe } from "../../workspace/events/event-subscriber.ts";
import type { Handled, SubscriberPace } from "../../workspace/events/subscriber-parts.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { KnownPlaces } from "../../workspace/knowledge/knowledge.ts";
import { keyOf, type Written } from "../../workspace/knowledge/knowledge-text.ts";
import type { PageEdit } from "../../workspace/knowledge/knowledge-writing.ts";
import { withMore } from "../../workspace/knowledge/statement-rules.ts";
import { reworkLessons } from "./rework-lessons.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "knowledge">;
  /** Reports of a run and of those that it continues, the oldest first. */
  gatesOf: (runId: string) => Promise<GateReport[]>;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<SubscriberPace> | undefined;
}

/** There is nothing left to learn for, or no room for it. */
const GONE = new Set<string>(["run_not_found", "project_not_found", "project_closed", "too_large"]);

/**
 * Turns what rework of teams fixed into statements of the project's knowledge. They are agents' conclusions and wait for a person.
 * Follows the event log, so that none is missed, whatever happens to the daemon.
 */
export function openRework(parts: Parts): Promise<OpenSubscription> {
  const { core, onTrouble, pace } = parts;
  return subscribe({
    core,
    name: "team-lessons",
    words: { title: "Lessons from rework", item: "review" },
    wants: ({ type }) => type === "review.passed",
    keyOf: ({ projectId = "" }) => projectId,
    handle: ({ subject }) => handled(() => learnFrom(subject.id, parts)),
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
    if (error instanceof HallError && GONE.has(error.code)) return { kind: "done" };
    return { kind: "retry", reason: errorText(error) };
  }
}

/** Doing it again changes nothing. */
async function learnFrom(runId: string, { core, hall, gatesOf }: Parts): Promise<void> {
  await core.shown.available();
  await core.shown.caughtUp();
  const run = core.runs.get(runId)?.run;
  if (run?.team === undefined) return;
  const texts = reworkLessons(await gatesOf(runId));
  if (texts.length === 0) return;
  const { projectId, taskId, team } = run;
  await hall.knowledge.weave(projectId, (known) => ({ edits: editsOf(texts, known, { projectId, taskId, team }) }), {
    carry: async (_, part) => (part === undefined ? undefined : commitAll(core, part)),
    change: { actor: BY_DAEMON, why: `rework of ${taskId}` },
  });
}

/** What all projects know already is not said again. */
function editsOf(
  texts: readonly string[],
  { own, hall, hide, today }: KnownPlaces,
  { projectId, taskId, team }: { projectId: string; taskId: string; team: { id: string } },
): PageEdit[] {
  return texts.flatMap((said) => {
    const text = hide(said).slice(0, LONGEST_STATEMENT).toWellFormed().trim();
    const key = keyOf(text);
    if (hall.some((known) => known.key === key && known.status === "accepted")) return [];
    const fresh: Written = { text, date: today, origins: [taskId, team.id], promoted: false, status: "pending" };
    const standing = own.find((known) => known.key === key);
    const becomes = standing === undefined ? fresh : withMore(standing, fresh);
    return [{ projectId, topic: standing?.topic ?? "patterns", key, becomes }];
  });
}
