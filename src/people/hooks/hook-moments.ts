import type { Actor, HallEvent } from "../../contract/event.ts";
import type { NewTaskFields } from "../../workspace/tasks/task-gate.ts";
import type { Hooks } from "./hooks.ts";

/** When hooks run that belong to no call of a run. */
export function hookMoments(hooks: Hooks) {
  return {
    /** Why the task must not be created. */
    taskCreated: async (projectId: string, task: NewTaskFields, actor: Actor): Promise<string | undefined> => {
      if (!hooks.has("TaskCreated", projectId)) return undefined;
      const { title, description, type, priority, acceptanceCriteria } = task;
      const { refused, feedback } = await hooks.run({
        hook_event_name: "TaskCreated",
        project_id: projectId,
        task: { title, description, type, priority, acceptanceCriteria },
        created_by: actor.kind,
      });
      return refused ? (feedback ?? "A hook refused this task.") : undefined;
    },
    /** What only tells hooks of something. A task file that a person made can't be refused any more. */
    heed: ({ type, projectId, subject, after = {}, actor }: HallEvent): void => {
      if (type === "gate.finished") gateFinished(hooks, { projectId, id: subject.id, after });
      const isByHand = type === "task.created" && actor.via === "file";
      const event = isByHand ? "TaskCreated" : type === "escalation.created" ? "EscalationCreated" : undefined;
      if (event === undefined || !hooks.has(event, projectId)) return;
      const what = { id: subject.id, ...after };
      void hooks.run({
        hook_event_name: event,
        ...(projectId === undefined ? {} : { project_id: projectId }),
        ...(isByHand ? { task: what, created_by: "file" } : { escalation: what }),
      });
    },
  };
}

interface FinishedGate {
  projectId: string | undefined;
  id: string;
  /** What the log says of it. */
  after: Record<string, unknown>;
}

function gateFinished(hooks: Hooks, { projectId, id, after }: FinishedGate): void {
  if (!hooks.has("GateFinished", projectId)) return;
  const { runId, taskId, ...gate } = after;
  void hooks.run({
    hook_event_name: "GateFinished",
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(typeof runId === "string" ? { session_id: runId, run_id: runId } : {}),
    ...(typeof taskId === "string" ? { task_id: taskId } : {}),
    gate: { id, ...gate },
  });
}
