import type { DocumentTable } from "../store/index/document-table.ts";
import type { FileTable } from "../store/index/file-table.ts";
import type { GlanceTable } from "../store/index/glance-table.ts";
import type { HallIndex } from "../store/index/hall-index.ts";
import type { PassageTable } from "../store/index/passage-table.ts";
import type { ProjectTable } from "../store/index/project-table.ts";
import type { RoleTable } from "../store/index/role-table.ts";
import type { RunTable } from "../store/index/run-table.ts";
import type { TaskTable } from "../store/index/task-table.ts";
import type { UseTable } from "../store/index/use-table.ts";

export type { Passage } from "../store/index/passage-table.ts";
export type { PlanSum } from "../store/index/plan-sums.ts";
export type { IndexedRun, RunQuery } from "../store/index/run-table.ts";
export type { UseQuery, UseSum } from "../store/index/use-table.ts";

/** What is known of projects and their teams, from memory. */
export type ProjectRecords = Pick<ProjectTable, "get" | "status" | "hasWorkdir" | "ids" | "list">;
/** What is known of plans. */
export type PlanRecords = Pick<DocumentTable, "plans">;
/** What is known of roles, from memory. */
export type RoleRecords = Pick<RoleTable, "get">;
/** What is known of tasks. */
export type TaskRecords = Pick<TaskTable, "record" | "finishedSince" | "byPlan" | "untouchedSince">;
/** What is known of runs: those that are not over, and those asked for lately, from memory. */
export type RunRecords = Pick<RunTable, "get" | "list" | "unsettled" | "childrenOf">;
/** What runs that are over have used. */
export type RunUses = Pick<UseTable, "sums" | "weekly">;
/** What a person sees first. */
export type Glance = Pick<GlanceTable, "counts" | "review" | "working" | "done" | "failed" | "suspended" | "since">;
/** The files of the workspace that are followed, as they were last seen. */
export type FollowedFiles = Pick<FileTable, "below" | "newestBelow">;

/** Rows of runs and how far each book was read. The run book alone writes them. */
export interface RunRows extends Pick<HallIndex, "transaction" | "reflect" | "available"> {
  runs: Pick<RunTable, "get" | "put" | "removeProject">;
  files: Pick<FileTable, "get" | "put" | "meta" | "setMeta" | "putProblem" | "problemsOf" | "clearProblems">;
}

/** What was said in runs, to be found by a search. The reader of transcripts alone writes it. */
export type PassageRows = Pick<PassageTable, "onWork" | "nextUnread" | "put" | "forgetOne">;

/** What the floors above may ask of the index. */
export interface Records {
  projects: ProjectRecords;
  roles: RoleRecords;
  tasks: TaskRecords;
  plans: PlanRecords;
  runs: RunRecords;
  runRows: RunRows;
  uses: RunUses;
  glance: Glance;
  passages: PassageRows;
  followed: FollowedFiles;
}

export function recordsIn(index: HallIndex): Records {
  const { projects, roles, tasks, documents: plans, runs, uses, glance, passages, files: followed } = index;
  return { projects, roles, tasks, plans, runs, runRows: index, uses, glance, passages, followed };
}
