import type { Task, TaskUpdate } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { findCycle } from "./task-rules.ts";

interface Edges {
  blockedBy: readonly string[];
  blocks: readonly string[];
}

/** Who waits for whom in a project. An edge may be declared in either of the two files. */
export class TaskGraph {
  readonly #core: IndexedCore;

  constructor(core: IndexedCore) {
    this.#core = core;
  }

  /** Edges of one project change one after the other: two changes that are harmless alone can close a circle together. */
  change<Result>(projectId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#core.locks.run(`graph ${projectId}`, work);
  }

  assertKnown(projectId: string, ids: readonly string[]): void {
    const unknown = ids.filter((id) => this.#core.index.tasks.record(projectId, id) === undefined);
    if (unknown.length === 0) return;
    throw new HallError(
      "invalid",
      `blockedBy, blocks: there is no task ${unknown.join(", ")} in project '${projectId}'.`,
    );
  }

  /** Judges only edges that are new: a person may have written others by hand, and clients send back what they read. */
  assertAdded(task: Task, wanted: Edges): void {
    const added = [
      ...wanted.blockedBy.filter((id) => !task.blockedBy.includes(id)),
      ...wanted.blocks.filter((id) => !task.blocks.includes(id)),
    ];
    this.assertKnown(task.projectId, added);
    if (added.length > 0) this.assertNoCycle(task.projectId, { id: task.id, ...wanted });
  }

  assertNoCycle(projectId: string, task: Edges & { id: string }): void {
    const blockersOf = (id: string): string[] => {
      if (id === task.id) return [...task.blockedBy, ...task.blocks.filter((blocked) => blocked === id)];
      const blockers = this.#core.index.tasks.edges.blockersOf(projectId, id).filter((blocker) => blocker !== task.id);
      return task.blocks.includes(id) ? [...blockers, task.id] : blockers;
    };
    const cycle = findCycle(task.id, blockersOf);
    if (cycle === undefined) return;
    throw new HallError("dependency_cycle", `Circular dependency: ${cycle.join(" → ")}.`);
  }

  /** The edges the task's own file has to declare: those wanted that no other file declares. */
  ownEdges(task: Task, wanted: Edges): { blockedBy: string[]; blocks: string[] } {
    const declaredElsewhere = this.#declaredElsewhere(task);
    return {
      blockedBy: wanted.blockedBy.filter((id) => !declaredElsewhere.blockedBy.has(id)),
      blocks: wanted.blocks.filter((id) => !declaredElsewhere.blocks.has(id)),
    };
  }

  /** Changes of other files that take away edges no longer wanted. */
  foreignCuts(task: Task, wanted: Edges): { id: string; update: TaskUpdate }[] {
    const { tasks } = this.#core.index;
    return tasks.edges.declarersOf(task.projectId, task.id).flatMap((id) => {
      const other = tasks.record(task.projectId, id);
      if (other === undefined) return [];
      const update: TaskUpdate = {};
      if (other.blocks.includes(task.id) && !wanted.blockedBy.includes(id))
        update.blocks = other.blocks.filter((entry) => entry !== task.id);
      if (other.blockedBy.includes(task.id) && !wanted.blocks.includes(id))
        update.blockedBy = other.blockedBy.filter((entry) => entry !== task.id);
      return Object.keys(update).length === 0 ? [] : [{ id, update }];
    });
  }

  #declaredElsewhere(task: Task): { blockedBy: Set<string>; blocks: Set<string> } {
    const { tasks } = this.#core.index;
    const others = tasks.edges
      .declarersOf(task.projectId, task.id)
      .flatMap((id) => tasks.record(task.projectId, id) ?? []);
    return {
      blockedBy: new Set(others.filter((other) => other.blocks.includes(task.id)).map((other) => other.id)),
      blocks: new Set(others.filter((other) => other.blockedBy.includes(task.id)).map((other) => other.id)),
    };
  }
}
