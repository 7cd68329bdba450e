import { TASK_FOLDERS } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { Counter } from "../../store/files/counter.ts";
import type { Files } from "../../store/files/files.ts";
import type { TaskTable } from "../../store/index/task-table.ts";
import { projectPaths, taskId, taskPath } from "../layout.ts";

/** As many digits as an id may have. */
const HIGHEST = 999_999_999_999;

interface Given {
  highest: number;
  mark: Counter;
}

/**
 * Numbers of tasks, never given twice. The mark in TASKS/.highwatermark, the files on the board and what was given in
 * this life are all respected, so a hand-made file with a higher number or a mark raised by hand moves the count on.
 */
export class TaskNumbers {
  readonly #files: Files;
  readonly #tasks: TaskTable;
  readonly #given = new Map<string, Given>();

  constructor(files: Files, tasks: TaskTable) {
    this.#files = files;
    this.#tasks = tasks;
  }

  /** Gives the next number to what `use` makes with it. When that throws, the number stays free. */
  next<Result>(projectId: string, use: (id: string) => Result): Result {
    const given = this.#givenIn(projectId);
    const marked = given.mark.read();
    const number = this.#free(projectId, Math.max(given.highest, marked));
    const result = use(taskId(number));
    given.highest = number;
    given.mark.raiseTo(number, marked);
    return result;
  }

  /** The id that the next task would get. */
  peek(projectId: string): string {
    const { highest, mark } = this.#givenIn(projectId);
    return taskId(this.#free(projectId, Math.max(highest, mark.read())));
  }

  /** A task with this number was seen; when it goes, its number stays used. A mark that is no file is told of by `next`. */
  seen(projectId: string, number: number): void {
    const given = this.#givenIn(projectId);
    given.highest = Math.max(given.highest, number);
    try {
      given.mark.raiseTo(number);
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
    }
  }

  forget(projectId: string): void {
    this.#given.get(projectId)?.mark.close();
    this.#given.delete(projectId);
  }

  close(): void {
    for (const projectId of [...this.#given.keys()]) this.forget(projectId);
  }

  #givenIn(projectId: string): Given {
    let given = this.#given.get(projectId);
    if (given === undefined) {
      const mark = this.#files.openCounter(markOf(projectId));
      given = { highest: this.#tasks.highestNumber(projectId), mark };
      this.#given.set(projectId, given);
    }
    return given;
  }

  #free(projectId: string, after: number): number {
    let number = after + 1;
    while (this.#isTaken(projectId, taskId(number))) number++;
    if (number > HIGHEST) throw noneLeft(projectId);
    return number;
  }

  #isTaken(projectId: string, id: string): boolean {
    return TASK_FOLDERS.some((folder) => this.#files.isReached(taskPath(projectId, folder, id)));
  }
}

function markOf(projectId: string): string {
  return `${projectPaths(projectId).tasks}/.highwatermark`;
}

function noneLeft(projectId: string): HallError {
  const hint = "Set the file to the number of the newest task.";
  return new HallError("file_invalid", ".highwatermark is at its maximum; no task id is left.", {
    file: markOf(projectId),
    hint,
  });
}
