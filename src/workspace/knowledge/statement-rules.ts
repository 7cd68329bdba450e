import { ESCALATION_ID } from "../../contract/documents/escalation.ts";
import type { StatementStatus } from "../../contract/documents/knowledge.ts";
import type { Actor } from "../../contract/event.ts";
import type { Known } from "./knowledge-pages.ts";
import { merged, type Written } from "./knowledge-text.ts";

/** What a person or the daemon writes counts; what an agent or another program concludes waits for a person. */
export function statusBy({ kind }: Actor): StatementStatus {
  return kind === "person" || kind === "daemon" ? "accepted" : "pending";
}

/** Where a statement comes from when nothing else is said. */
export function originBy({ kind, id }: Actor): string {
  return kind === "client" && id !== undefined ? id : "person";
}

/** As it is on its page. */
export function writtenOf({ text, date, origins, promoted, status, replacedBy }: Known): Written {
  return { text, date, origins, promoted: promoted === true, status, replacedBy };
}

/**
 * A statement that is said again. A person's word makes it accepted, also one that was replaced; an agent's changes
 * nothing about its status.
 */
export function withMore(standing: Known, more: Written): Written {
  const both = merged(writtenOf(standing), more);
  if (more.status === "accepted") return { ...both, status: "accepted", replacedBy: undefined };
  return { ...both, status: standing.status, replacedBy: standing.replacedBy };
}

export function accepted(written: Written, today: string): Written {
  return { ...written, date: written.date ?? today, status: "accepted", replacedBy: undefined };
}

export function superseded(written: Written, { by, today }: { by: string | undefined; today: string }): Written {
  return { ...written, date: written.date ?? today, status: "superseded", replacedBy: by };
}

interface Promotion {
  project: string;
  /** Without the project's secrets. */
  text: string;
  today: string;
  status: StatementStatus;
}

/** A project's statement as it is to be in the hall, with the project in each origin. */
export function promotedCopy(standing: Known, { project, text, today, status }: Promotion): Written {
  const { date = today, origins } = standing;
  return {
    text,
    date,
    origins: originsIn(project, origins),
    promoted: false,
    status,
  };
}

/** Escalations are numbered once for all projects, so that an answer's has no project in front. */
function originsIn(project: string, origins: readonly string[]): string[] {
  const isOwn = (origin: string) => !isEscalation(origin) && !isAnswerer(origin);
  const named = origins.map((origin) =>
    isOwn(origin) && !origin.startsWith(`${project}/`) ? `${project}/${origin}` : origin,
  );
  return origins.some(isOwn) ? named : [...named, project];
}

const ANSWERED_BY = "answered by ";

/** The origin that says who gave an answer. */
export function answerer(name: string): string {
  return `${ANSWERED_BY}${name}`;
}

export function isAnswerer(origin: string): boolean {
  return origin.startsWith(ANSWERED_BY);
}

/** The escalation that a statement comes from, if it is an answer. */
export function escalationOf({ origins }: Pick<Written, "origins">): string | undefined {
  return origins.find(isEscalation);
}

function isEscalation(origin: string): boolean {
  return ESCALATION_ID.test(origin);
}
