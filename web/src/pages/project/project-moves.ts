import type { ProjectStatus } from "../../../../src/contract/documents/project.ts";

interface ProjectMove {
  to: ProjectStatus;
  label: string;
  /** What comes of it, before it is done. */
  means: string;
  done: string;
  /** It is asked for a second time. */
  isGrave?: true;
}

const suspend: ProjectMove = {
  to: "suspended",
  label: "Suspend",
  means: "Nothing new is started. Agents at work are stopped, and everything stays as it is until you resume.",
  done: "Suspended.",
  isGrave: true,
};
const complete: ProjectMove = {
  to: "completed",
  label: "Complete",
  means: "The work is done. Nothing is started any more; it can be reopened.",
  done: "Completed.",
  isGrave: true,
};
const archive: ProjectMove = {
  to: "archived",
  label: "Archive",
  means: "Every file is kept and can be read, but it cannot be reopened.",
  done: "Archived.",
  isGrave: true,
};

const MOVES: Record<ProjectStatus, readonly ProjectMove[]> = {
  active: [suspend, complete, archive],
  suspended: [
    { to: "active", label: "Resume", means: "Agents may be started again.", done: "Resumed." },
    complete,
    archive,
  ],
  completed: [
    { to: "active", label: "Reopen", means: "Work on it goes on: agents may be started again.", done: "Reopened." },
    archive,
  ],
  archived: [],
};

/** What a person can make of a project that stands so. */
export function movesFrom(status: ProjectStatus): readonly ProjectMove[] {
  return MOVES[status];
}
export type { ProjectMove };
