import type { Criterion, TaskCreate } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import { Attachment, type Attachments } from "../attachments.ts";
import type { Change } from "../change.ts";

export interface NewTaskFields extends Pick<TaskCreate, "title" | "description" | "type" | "priority"> {
  acceptanceCriteria: readonly unknown[];
}

/** Why a task must not be created; undefined: nothing speaks against it. Never rejects. */
type TaskCheck = (projectId: string, task: NewTaskFields, change: Change) => Promise<string | undefined>;

/** A task that someone sets to done, as it would be then. */
export interface CompletedFields {
  projectId: string;
  taskId: string;
  completionNotes: string | undefined;
  acceptanceCriteria: readonly Criterion[];
}

/** Why a task must not be completed; undefined: nothing speaks against it. */
type CompletionCheck = (task: CompletedFields, change: Change) => Promise<string | undefined>;

/** Where tasks are checked by a floor above; without it, none is refused. */
export class TaskGate {
  readonly creation: Attachment<TaskCheck>;
  readonly completion: Attachment<CompletionCheck>;

  constructor(attachments: Attachments) {
    this.creation = new Attachment<TaskCheck>(attachments, "creation of tasks", async () => undefined);
    this.completion = new Attachment<CompletionCheck>(attachments, "completion of tasks", async () => undefined);
  }

  /** Only a person or a client has not been asked before. */
  async assertMayComplete(task: CompletedFields, change: Change): Promise<void> {
    const { actor, gathered, isChecked } = change;
    if (gathered !== undefined || isChecked === true || (actor.kind !== "person" && actor.kind !== "client")) return;
    const refusal = await this.completion.part(task, change);
    if (refusal !== undefined) throw new HallError("hook_refused", refusal);
  }

  async assertAllowed(projectId: string, task: NewTaskFields, change: Change): Promise<void> {
    const refusal = await this.creation.part(projectId, task, change);
    if (refusal !== undefined) throw new HallError("hook_refused", refusal);
  }
}
