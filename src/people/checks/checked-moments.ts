import type { Actor } from "../../contract/event.ts";
import type { Moments, Objection } from "../../projects/moments.ts";
import type { CompletedFields } from "../../workspace/tasks/task-gate.ts";
import type { HookInput, Hooks, HookVerdict } from "../hooks/hooks.ts";
import type { ToldOnce } from "./told-once.ts";

/** How often the person's own hooks may have an agent continue its turn. */
const MOST_ROUNDS = 3;
const ONCE_MORE =
  "\nThen give your whole answer again: only your last message is delivered. You are not reminded of this again in this turn.";
const OPEN = "Before you finish:\n";

interface Parts {
  hooks: Pick<Hooks, "run" | "has">;
  told: Pick<ToldOnce, "has" | "note" | "forget">;
}

/** What a person or a client does over the API. */
interface OverApi {
  /** Why the task must not be completed. A person's own decision is checked by nothing but the person's hooks. */
  completed(task: CompletedFields, by: Actor["kind"]): Promise<string | undefined>;
}

/** Runs the hooks of each moment. What built-in checks say is said once; the person's hooks are asked every time. */
export function checkedMoments({ hooks, told }: Parts): Moments & OverApi {
  const onceFor = async (key: string, input: HookInput): Promise<Objection | undefined> => {
    const verdict = await hooks.run({ ...input, round: told.has(key) ? 2 : 1 });
    if (!verdict.refused) await told.forget(key);
    else if (verdict.isReminder) await told.note(key);
    return objectionOf(verdict);
  };
  return {
    idle: async ({ projectId, messageId, output, round, since, isAwaited, hasTold, lead }) => {
      if (round > MOST_ROUNDS) return {};
      const verdict = await hooks.run({
        ...{ hook_event_name: "TeammateIdle", session_id: messageId, project_id: projectId },
        ...(lead === undefined ? {} : { lead }),
        ...{ output, round, since, hasTold, answer: { isAwaited, isEmpty: output.trim() === "" } },
      });
      const traces = verdict.traces.length === 0 ? {} : { hooks: verdict.traces };
      const text = verdict.feedback ?? "A hook wants you to continue.";
      return verdict.refused ? { feedback: `${OPEN}${text}${ONCE_MORE}`, ...traces } : traces;
    },
    completing: async ({ projectId, taskId, summary, criteria }) => {
      const objection = await onceFor(`complete ${projectId} ${taskId}`, {
        ...{ hook_event_name: "TaskCompleted", project_id: projectId, task_id: taskId },
        ...{ output: summary, criteria },
      });
      return objection?.text;
    },
    completed: async ({ projectId, taskId, completionNotes = "", acceptanceCriteria }, by) => {
      const isPerson = by === "person";
      if (isPerson && !hooks.has("TaskCompleted", projectId)) return undefined;
      const input: HookInput = {
        ...{ hook_event_name: "TaskCompleted", project_id: projectId, task_id: taskId },
        ...{ output: completionNotes, acceptance_criteria: acceptanceCriteria, completed_by: by },
      };
      const key = `complete ${projectId} ${taskId}`;
      const objection = isPerson ? objectionOf(await hooks.run({ ...input, round: 2 })) : await onceFor(key, input);
      return objection?.text;
    },
    shutdown: async ({ projectId, reason }) => {
      const input = { hook_event_name: "PreShutdown" as const, project_id: projectId, reason };
      return reason === "idle" ? onceFor(`shutdown ${projectId}`, input) : objectionOf(await hooks.run(input));
    },
  };
}

function objectionOf({ refused, feedback, isReminder }: HookVerdict): Objection | undefined {
  return refused ? { text: feedback ?? "A hook refused it.", isReminder: isReminder === true } : undefined;
}
