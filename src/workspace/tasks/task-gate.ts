import type { TaskCreate } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { Change } from "../change.ts";

export interface NewTaskFields extends Pick<TaskCreate, "title" | "description" | "type" | "priority"> {
  acceptanceCriteria: readonly unknown[];
}

/** Why a task must not be created; undefined: nothing speaks against it. Never rejects. */
type TaskCheck = (projectId: string, task: NewTaskFields, change: Change) => Promise<string | undefined>;

/** Where new tasks are checked by a floor above; without it, none is refused. */
export class TaskGate {
  #check: TaskCheck | undefined;

  attach(check: TaskCheck): void {
    this.#check = check;
  }

  async assertAllowed(projectId: string, task: NewTaskFields, change: Change): Promise<void> {
    const refusal = await this.#check?.(projectId, task, change);
    if (refusal !== undefined) throw new HallError("hook_refused", refusal);
  }
}
