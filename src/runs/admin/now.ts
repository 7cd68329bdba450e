import { byUrgency, isSnoozed } from "../../contract/documents/escalation-urgency.ts";
import type { Attention, Now } from "../../contract/now.ts";
import type { Run } from "../../contract/runs/run.ts";
import { firstLine } from "../../contract/runs/run-line.ts";
import { hint, toldHint } from "../../contract/words/hint.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { QueueNotes } from "../../workspace/escalations/queue-notes.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { type AttentionParts, checkingIn, neededIn, reviewsIn } from "./attention.ts";
import type { BudgetDesk } from "./open-budget.ts";

/** What a person takes in; the rest has lists of its own. */
const MOST = 100;
const MOST_DONE = 20;
/** As good as all: lists in the index take a number. */
export const ALL = 1_000_000;

interface Parts extends AttentionParts {
  core: Pick<Core, "events" | "clock" | "shown" | "runs" | "tasks" | "glance">;
  reviewDefault: Pick<Hall["reviewDefault"], "offered">;
  queue: Pick<QueueNotes, "isHidden" | "hidesNothing">;
  budget: Pick<BudgetDesk, "today">;
}

/** Answered from the index and from memory: it is asked for with every glance. */
export async function nowOf(parts: Parts): Promise<Now> {
  const { runs, core } = parts;
  const { glance } = core;
  const seq = core.events.head();
  await core.shown.caughtUp();
  const counts = glance.counts();
  const { needsMe, review } = await waitingForPerson(parts, counts);
  const { day, ...money } = parts.budget.today();
  const waiting = new Set(parts.live.waiting().map(({ runId }) => runId));
  const waitingIn = (status: Run["status"]) =>
    [...waiting].filter((id) => core.runs.get(id)?.run.status === status).length;
  return {
    seq,
    needsMe: needsMe.first,
    review: review.first,
    checking: checkingIn(parts, MOST),
    working: glance
      .working(MOST)
      .filter(({ id }) => !waiting.has(id))
      .map((run) => runs.line(run)),
    done: glance.done(MOST_DONE).map((run) => runs.line(run)),
    reviewOffer: parts.reviewDefault.offered(),
    counts: {
      needsMe: needsMe.total,
      review: review.total,
      running: counts.running - waitingIn("running"),
      pending: counts.pending - waitingIn("pending"),
      waiting: waiting.size,
      projects: counts.projects,
    },
    today: { ...money, ...glance.since(`${day}T00:00:00.000Z`) },
  };
}

type Counts = ReturnType<Core["glance"]["counts"]>;

/** The same entries as in the queue: without what the person snoozed or dismissed, which has to be looked up one by one. */
async function waitingForPerson(parts: Parts, counts: Counts) {
  const limit = parts.queue.hidesNothing ? MOST : ALL;
  const found = await neededIn(parts, limit);
  const { reviews, byOthers } = reviewsIn(parts, limit);
  const needed = found.filter((entry) => !parts.queue.isHidden(entry));
  const review = reviews.filter((entry) => !parts.queue.isHidden(entry));
  const questions = questionsIn(parts);
  const ofKind = (kind: Attention["kind"]) => found.filter(({ attention }) => attention.kind === kind).length;
  const unreadable = ["problem", "folder", "damaged"] as const;
  // Of these the lists are cut, and the index counts them all.
  const cut =
    counts.failed -
    ofKind("failed") +
    (counts.suspended - ofKind("suspended")) +
    (parts.health.unreadable(0).total - unreadable.reduce((sum, kind) => sum + ofKind(kind), 0));
  const all = [...questions, ...needed.map(({ attention }) => attention)];
  return {
    needsMe: { first: all.slice(0, MOST), total: all.length + cut },
    review: {
      first: review.slice(0, MOST).map(({ run }) => run),
      total: review.length + counts.review - reviews.length - byOthers,
    },
  };
}

/** What the person was asked, the most urgent first. */
function questionsIn({ openQuestions, core }: Parts): Attention[] {
  const now = core.clock();
  return openQuestions()
    .filter((entry) => entry.status === "pending" && !isSnoozed(entry, now))
    .toSorted(byUrgency)
    .map((entry) => questionLine(entry, core));
}

const ASKED_BY: Record<StoredEscalation["askers"][number]["kind"], string> = {
  run: "Asked by an agent.",
  project: "Asked by the project's agent.",
  main: "Asked by the main agent.",
  client: "Asked over the API.",
  person: "Asked over the API.",
};

function questionLine(entry: StoredEscalation, { tasks }: Parts["core"]): Attention {
  const { id, projectId, question, blocksTask, createdAt, askers, origin } = entry;
  const task = projectId && blocksTask ? tasks.record(projectId, blocksTask) : undefined;
  const blocked = task?.status !== "blocked" ? "" : `${blocksTask} is blocked until you answer. `;
  return {
    kind: "escalation",
    id,
    ...(projectId === undefined ? {} : { projectId }),
    title: question,
    detail: `${blocked}${reasonOf(entry)}`.trim() || ASKED_BY[askers[0]?.kind ?? "run"],
    ...toldHint(hint("escalation-answer", { text: id })),
    at: createdAt,
    origin,
  };
}

/** The context of a permission request begins with a heading; its command is the title already. */
function reasonOf({ permission, context }: StoredEscalation): string {
  if (permission === undefined) return firstLine(context);
  return `${permission.roleId} asks before it uses ${permission.tool}.`;
}
