import { TASK_FOLDERS } from "../../contract/documents/task-status.ts";
import type { Files } from "../../store/files/files.ts";
import type { TaskTable } from "../../store/index/task-table.ts";
import { projectPaths, taskId, taskPath } from "../layout.ts";
import { NumberSeries } from "../number-series.ts";

/** Numbers of tasks, a series for each project, with its mark in TASKS/.highwatermark. */
export class TaskNumbers {
  readonly #files: Files;
  readonly #tasks: TaskTable;
  readonly #series = new Map<string, NumberSeries>();

  constructor(files: Files, tasks: TaskTable) {
    this.#files = files;
    this.#tasks = tasks;
  }

  /** Gives the next number to what `use` makes with it. When that throws, the number stays free. */
  next<Result>(projectId: string, use: (id: string) => Result): Result {
    return this.#seriesOf(projectId).next(use);
  }

  /** The id that the next task would get. */
  peek(projectId: string): string {
    return this.#seriesOf(projectId).peek();
  }

  seen(projectId: string, number: number): void {
    this.#seriesOf(projectId).seen(number);
  }

  forget(projectId: string): void {
    this.#series.get(projectId)?.close();
    this.#series.delete(projectId);
  }

  close(): void {
    for (const projectId of [...this.#series.keys()]) this.forget(projectId);
  }

  #seriesOf(projectId: string): NumberSeries {
    const markFile = `${projectPaths(projectId).tasks}/.highwatermark`;
    const series =
      this.#series.get(projectId) ??
      new NumberSeries({
        mark: this.#files.openCounter(markFile),
        markFile,
        highest: () => this.#tasks.highestNumber(projectId),
        idOf: taskId,
        isTaken: (id) => TASK_FOLDERS.some((folder) => this.#files.isReached(taskPath(projectId, folder, id))),
      });
    this.#series.set(projectId, series);
    return series;
  }
}
