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
  means: "Stops running agents. No runs start until you resume it.",
  done: "Suspended.",
  isGrave: true,
};
const complete: ProjectMove = {
  to: "completed",
  label: "Complete",
  means: "Marks the project as done. No runs start, and you can reopen it.",
  done: "Completed.",
  isGrave: true,
};
const archive: ProjectMove = {
  to: "archived",
  label: "Archive",
  means: "Makes the project read-only. All files are kept, but you can't reopen it.",
  done: "Archived.",
  isGrave: true,
};

const MOVES: Record<ProjectStatus, readonly ProjectMove[]> = {
  active: [suspend, complete, archive],
  suspended: [{ to: "active", label: "Resume", means: "Runs can start again.", done: "Resumed." }, complete, archive],
  completed: [{ to: "active", label: "Reopen", means: "Runs can start again.", done: "Reopened." }, archive],
  archived: [],
};

/** What a person can make of a project that stands so. */
export function movesFrom(status: ProjectStatus): readonly ProjectMove[] {
  return MOVES[status];
}
export type { ProjectMove };
