import { BY_PERSON } from "../../contract/words/party-words.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { KnownPlaces } from "../../workspace/knowledge/knowledge.ts";
import { type Known, statementIdOf } from "../../workspace/knowledge/knowledge-pages.ts";
import { keyOf, type Written } from "../../workspace/knowledge/knowledge-text.ts";
import type { PageEdit } from "../../workspace/knowledge/knowledge-writing.ts";
import {
  accepted,
  escalationOf,
  isAnswerer,
  superseded,
  withMore,
  writtenOf,
} from "../../workspace/knowledge/statement-rules.ts";
import { type Lesson, lessonOf } from "./lesson.ts";

/** What becomes of the pages, and the statement that the escalation then names. */
export interface Learned {
  edits: PageEdit[];
  statementId: string | undefined;
}

/**
 * Compares an escalation with the statements that are there. Applied to its own result it changes nothing, so that it may run
 * again after a crash. A statement that a person reworded or removed stays as they left it.
 */
export function learned(escalation: StoredEscalation, places: KnownPlaces): Learned {
  const { statementId } = escalation;
  const lesson = lessonOf(escalation, places.hide);
  if (lesson === undefined) return forgotten(escalation, places);
  // The undo of an earlier answer, and editing the file by hand, may leave its statement without the escalation naming it.
  if (statementId === undefined) return instead(escalation, lesson, places);
  const key = keyOf(lesson.text);
  const own = [...places.own, ...places.hall].filter((known) => isWritten(known, escalation));
  const isThere = own.some((known) => known.key === key && known.projectId === lesson.projectId);
  // Another answer, or another scope: its file was edited.
  return own.length === 0 || isThere ? unchanged(statementId) : instead(escalation, lesson, places);
}

function instead(escalation: StoredEscalation, lesson: Lesson, places: KnownPlaces): Learned {
  const next = added(escalation, lesson, places);
  return { edits: [...forgotten(escalation, places).edits, ...next.edits], statementId: next.statementId };
}

function unchanged(statementId: string | undefined): Learned {
  return { edits: [], statementId };
}

function isWritten({ id, origins }: Known, escalation: StoredEscalation): boolean {
  return id === escalation.statementId && origins.includes(escalation.id);
}

function added(escalation: StoredEscalation, lesson: Lesson, { own, hall, today }: KnownPlaces): Learned {
  const { projectId, ...said } = lesson;
  const key = keyOf(said.text);
  const fresh: Written = { ...said, promoted: false };
  const standing = (projectId === undefined ? hall : own).find((known) => known.key === key);
  const topic = standing?.topic ?? "decisions";
  const becomes = standing === undefined ? fresh : withMore(standing, fresh);
  const within = projectId === undefined ? [...own, ...hall] : own;
  const old = within.filter((known) => known.key !== key && isReplaced(known, escalation));
  const replaced = old.map((known) => editOf(known, superseded(writtenOf(known), { by: escalation.id, today })));
  return {
    edits: [{ projectId, topic, key, becomes }, ...replaced],
    statementId: statementIdOf(topic, key),
  };
}

function isReplaced({ origins, status, replacedBy }: Known, { id, replaces }: StoredEscalation): boolean {
  return (status !== "superseded" || replacedBy === id) && origins.some((origin) => replaces.includes(origin));
}

/** The answer was taken back: its statement goes, and what it replaced counts again. */
function forgotten({ id, projectId }: StoredEscalation, { own, hall, today }: KnownPlaces): Learned {
  const edits = [...own, ...hall].flatMap((known) => {
    if (known.status === "superseded" && known.replacedBy === id) return [editOf(known, restored(known, today))];
    return known.origins.includes(id) ? [editOf(known, withoutOrigin(known, { id, projectId }))] : [];
  });
  return { edits, statementId: undefined };
}

function restored(known: Known, today: string): Written {
  const written = accepted(writtenOf(known), today);
  const isAgents = escalationOf(known) !== undefined && !known.origins.includes(BY_PERSON);
  return isAgents ? { ...written, status: "pending" } : written;
}

/** Undefined when it came from nowhere else; a copy for all projects also names the project that it is from. */
function withoutOrigin(
  known: Known,
  { id, projectId }: Pick<StoredEscalation, "id" | "projectId">,
): Written | undefined {
  const others = known.origins.filter((origin) => origin !== id);
  const isAnswers = (origin: string) => isAnswerer(origin) || origin === projectId;
  const origins = escalationOf({ origins: others }) === undefined ? others.filter((one) => !isAnswers(one)) : others;
  return origins.length === 0 ? undefined : { ...writtenOf(known), origins };
}

function editOf({ projectId, topic, key }: Known, becomes: Written | undefined): PageEdit {
  return { projectId, topic, key, becomes };
}
