import type { Escalation } from "../../contract/documents/escalation.ts";
import type { Actor } from "../../contract/event.ts";
import type { NewTaskFields } from "../../workspace/tasks/task-gate.ts";
import type { HookInput, Hooks } from "./hooks.ts";

/** When hooks run that belong to no call of a run. */
export function hookMoments(hooks: Hooks) {
  return {
    /** Why the task must not be created. */
    taskCreated: async (projectId: string, task: NewTaskFields, actor: Actor): Promise<string | undefined> => {
      if (!hooks.has("TaskCreated", projectId)) return undefined;
      const { refused, feedback } = await hooks.run({
        hook_event_name: "TaskCreated",
        project_id: projectId,
        task: fieldsOf(task),
        created_by: actor.kind,
        ...(actor.kind === "agent" && actor.id !== undefined ? { run_id: actor.id } : {}),
      });
      return refused ? (feedback ?? "A hook refused this task.") : undefined;
    },
    escalationCreated: async (
      escalation: Pick<Escalation, "id" | "type" | "question" | "projectId">,
    ): Promise<void> => {
      if (!hooks.has("EscalationCreated", escalation.projectId)) return;
      const input: HookInput = { hook_event_name: "EscalationCreated", escalation };
      await hooks.run(escalation.projectId === undefined ? input : { ...input, project_id: escalation.projectId });
    },
    /** What a run or an agent should know from the start. */
    sessionStarted: async (session: Pick<HookInput, "project_id" | "run_id" | "task_id">) => {
      if (!hooks.has("SessionStart", session.project_id)) return { traces: [] };
      const { feedback, traces } = await hooks.run({ ...session, hook_event_name: "SessionStart" });
      return { ...(feedback === undefined ? {} : { context: feedback }), traces };
    },
  };
}

function fieldsOf({ title, description, type, priority, acceptanceCriteria }: NewTaskFields): NewTaskFields {
  return { title, description, type, priority, acceptanceCriteria };
}
