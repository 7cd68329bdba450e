import type { LeadBriefing } from "../../contract/documents/autonomy/lead.ts";
import type { Statement } from "../../contract/documents/knowledge.ts";
import { briefingText } from "../../contract/words/autonomy/lead-text.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { LeadState } from "./lead-state.ts";
import type { Place } from "./lead-store.ts";

const MOST_RESOLVED = 200;
const MOST_TASKS = 1_000;
const CONVENTIONS = 4;
const WORDS = /[\p{L}\p{N}]{4,}/gu;

export type Records = Pick<Hall, "documents" | "tasks" | "escalations" | "knowledge">;

/** What a lead starts from: the initiative, its tasks, answers and conventions, by the records as they are now. No model is asked. */
export function leadBriefing(hall: Records, place: Place, before: LeadState | undefined): LeadBriefing {
  const { projectId, initiative } = place;
  const { title, tasks, goals, ready } = hall.documents.initiative(projectId, initiative);
  const since = before?.ended?.at ?? "";
  const known = new Set(before?.ended?.ready ?? []);
  const open = openQuestions(hall, place);
  const about = [title, ...goals, ...ready.map((task) => task.title)].join(" ");
  const facts = {
    ...{ projectId, initiative, title, tasks, goals },
    decisions: resolvedSince(hall, place, since),
    unblocked:
      before === undefined
        ? []
        : ready.filter(({ id }) => !known.has(id)).map(({ id, title: name }) => ({ id, title: name })),
    focus: ready,
    open: open.map(({ id, question, blocksTask }) => ({
      id,
      question,
      ...(blocksTask === null ? {} : { blocksTask }),
    })),
    conventions: {
      workspace: conventions(hall, undefined, about),
      project: conventions(hall, projectId, about),
    },
  };
  return { ...facts, text: briefingText(facts) };
}

/** Escalations of the initiative without an answer, the oldest first. */
export function openQuestions(hall: Pick<Hall, "escalations" | "tasks">, place: Place): StoredEscalation[] {
  const isOf = ofInitiative(hall, place);
  return hall.escalations.open().filter(isOf);
}

/** The newest first. */
export function resolvedSince(hall: Pick<Hall, "escalations" | "tasks">, place: Place, since: string) {
  const isOf = ofInitiative(hall, place);
  const { escalations } = hall.escalations.list({ status: "resolved", project: place.projectId, limit: MOST_RESOLVED });
  return escalations
    .filter((one) => isOf(one) && (one.resolvedAt ?? "") > since)
    .map(({ id, question, resolution, answer }) => ({ id, question, resolution: resolution ?? answer ?? "" }))
    .filter(({ resolution }) => resolution !== "");
}

/** Those that name it, and those that block one of its tasks. */
function ofInitiative({ tasks }: Pick<Hall, "tasks">, { projectId, initiative }: Place) {
  let ids: Set<string> | undefined;
  const own = () => {
    const { tasks: found } = tasks.list(projectId, { plan: initiative, sort: "id", limit: MOST_TASKS });
    return new Set(found.map(({ id }) => id));
  };
  return ({ projectId: of, initiative: named, blocksTask }: StoredEscalation): boolean => {
    if (of !== projectId) return false;
    if (named !== undefined || blocksTask === null) return named === initiative;
    ids ??= own();
    return ids.has(blocksTask);
  };
}

/** Those that share most words with the work; among equal ones the newest. */
function conventions({ knowledge }: Pick<Hall, "knowledge">, project: string | undefined, about: string): string[] {
  const words = wordsOf(about);
  const { statements } = knowledge.list({
    ...(project === undefined ? { scope: "hall" as const } : { project, scope: "project" as const }),
    ...{ topic: "conventions" as const, status: "current" as const, limit: 200 },
  });
  const isConfirmed = ({ status }: Statement) => (status === "accepted" ? 1 : 0);
  const score = ({ text }: Statement) => [...wordsOf(text)].filter((word) => words.has(word)).length;
  return statements
    .map((statement) => ({ text: statement.text, confirmed: isConfirmed(statement), score: score(statement) }))
    .sort((left, right) => right.score - left.score || right.confirmed - left.confirmed)
    .slice(0, CONVENTIONS)
    .map(({ text, confirmed }) => (confirmed === 1 ? text : `${text} (not confirmed)`));
}

function wordsOf(text: string): Set<string> {
  return new Set(Array.from(text.toLowerCase().matchAll(WORDS), ([word]) => word));
}
