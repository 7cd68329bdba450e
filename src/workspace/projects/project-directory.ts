import type { Project, TaskCount } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { ProjectView } from "../../contract/routes/project-routes.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import type { IndexedProject } from "../../store/index/project-table.ts";
import { projectRoot } from "../layout.ts";
import type { Locks } from "../locks.ts";
import { resultPolicyOf } from "../result-policy.ts";

/** Finds projects and refuses what a project's state does not allow. */
export class ProjectDirectory {
  readonly #index: HallIndex;
  readonly #locks: Locks;

  constructor(index: HallIndex, locks: Locks) {
    this.#index = index;
    this.#locks = locks;
  }

  /** Does work in an open project, which is neither closed nor removed before the work is done. */
  working<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.share(projectLock(id), async () => {
      this.assertOpen(id);
      return work();
    });
  }

  /** A project that is there, readable or not. */
  assertKnown(id: string): void {
    if (this.#index.projects.status(id) === undefined) throw unknown(id);
  }

  /** A project in which work goes on. */
  assertOpen(id: string): void {
    const status = this.#index.projects.status(id);
    if (status === undefined || status === "invalid") this.read(id);
    if (status === "completed" || status === "archived")
      throw new HallError("project_closed", `Project '${id}' is ${status}.`);
  }

  /** A project whose files could be read. */
  read(id: string): IndexedProject {
    const row = this.#index.projects.get(id);
    if (row === undefined) throw unknown(id);
    if (row.status !== "invalid") return row as IndexedProject;
    const problem = this.problem(id);
    throw new HallError(
      "file_invalid",
      `Project '${id}' cannot be read: ${problem?.reason ?? "its files are broken"}.`,
      { file: problem?.file, line: problem?.line },
    );
  }

  /** Refuses a change that was based on another version than the current one. */
  assertVersion(id: string, ifMatch: string | undefined): void {
    const row = this.#index.projects.get(id);
    if (ifMatch === undefined || ifMatch === row?.etag) return;
    const when = row?.updatedAt ? ` (at ${row.updatedAt})` : "";
    const file = `${projectRoot(id)}/PROJECT.json`;
    throw new HallError("version_mismatch", `Project '${id}' was changed since you read it${when}.`, { file });
  }

  view(project: Project & { etag: string }): ProjectView {
    const why = project.status === "suspended" ? this.#index.files.meta(whySuspended(project.id)) : undefined;
    return {
      ...project,
      taskCount: this.taskCount(project.id),
      requiresReview: resultPolicyOf(project).requiresReview,
      ...(why === undefined ? {} : { suspendedWhy: String(why) }),
    };
  }

  /** Shown with the project while it is suspended. An index that is built anew has it no more; the log always tells. */
  noteWhy(id: string, why: string | undefined): void {
    if (why === undefined) this.#index.files.removeMeta(whySuspended(id));
    else this.#index.files.setMeta(whySuspended(id), why);
  }

  taskCount(id: string): TaskCount {
    const counts = this.#index.tasks.counts(id);
    const of = (...statuses: Parameters<typeof counts.get>[0][]) =>
      statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
    return {
      todo: of("pending", "assigned", "blocked"),
      inProgress: of("in-progress"),
      review: of("review"),
      done: of("done"),
      failed: of("failed"),
      cancelled: of("cancelled"),
    };
  }

  problem(id: string) {
    const root = projectRoot(id);
    return [
      ...this.#index.files.problemsOf(`${root}/PROJECT.json`),
      ...this.#index.files.problemsOf(`${root}/PROJECT.md`),
    ][0];
  }
}

function whySuspended(id: string): string {
  return `suspended ${id}`;
}

export function projectLock(id: string): string {
  return `project ${id}`;
}

function unknown(id: string): HallError {
  return new HallError("project_not_found", `There is no project '${id}'.`);
}
