import { z } from "zod";
import { Criterion } from "../../contract/documents/task.ts";
import { CriterionReport } from "../../contract/runs/criterion-report.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { unaddressedCriteria } from "../../workspace/tasks/criteria.ts";
import type { BuiltInHook, HookInput } from "../hooks/hooks.ts";
import { COMPLETION_NOTES, CRITERIA_ADDRESSED } from "./built-in-names.ts";
import { type Finding, findingsText } from "./findings.ts";
import { IDLE_RULES, type IdleState } from "./idle-rules.ts";
import { idleState, type StateParts, shutdownState } from "./read-state.ts";
import { SHUTDOWN_RULES, type ShutdownState } from "./shutdown-rules.ts";

export interface BuiltInParts extends StateParts {
  tasks: Pick<Hall["tasks"], "get">;
  /** Keys of the criteria that a run was given; undefined: it was given none to report on. */
  plannedOf: (runId: string) => readonly string[] | undefined;
}

/** `round`: how often it was asked. */
const Asked = z.object({ round: z.int().min(1).default(1), project_id: z.string() });
const Completing = Asked.extend({
  task_id: z.string(),
  run_id: z.string().optional(),
  criteria: z.array(CriterionReport).default([]),
  /** Of a task that a client completes: as they would be then. */
  acceptance_criteria: z.array(Criterion).optional(),
});
const Idle = Asked.extend({
  since: z.string(),
  answer: z.object({ isAwaited: z.boolean(), isEmpty: z.boolean() }),
  hasTold: z.boolean(),
  /** Where the turn is about an initiative. */
  lead: z
    .object({
      initiative: z.string(),
      ready: z.array(z.string()),
      isWaiting: z.boolean(),
      hasReported: z.boolean(),
    })
    .optional(),
});

const IDLE_WORDS: Record<keyof typeof IDLE_RULES, string> = {
  "tasks-updated": "A project's agent leaves no task in progress that no run is working on.",
  "follow-ups-created": "What a result left undone has a task of its own.",
  "plan-updated": "The plan of an initiative is edited when its tasks change.",
  "learnings-saved": "Finished work leaves something in the project's knowledge or memory.",
  "results-reported": "Finished work is reported to the sender or the main agent.",
  "blockers-escalated": "A blocked task has an open question that says why.",
  "initiative-reported": "A lead stops only when no task of its initiative is ready, and with a report.",
};

const SHUTDOWN_WORDS: Record<keyof typeof SHUTDOWN_RULES, string> = {
  "drafts-reviewed": "No draft escalation of the project is waiting for a reviewer.",
  "no-orphaned-tasks": "No task of the project is in progress without a run.",
  "results-processed": "Every result of the project was read and reviewed.",
};

/** The checks that come with Guildhall. Each looks at the state as it is, and says what is missing once. */
export function builtInChecks(parts: BuiltInParts): BuiltInHook[] {
  const idleStates = new WeakMap<HookInput, IdleState>();
  const shutdownStates = new WeakMap<HookInput, ShutdownState>();
  const idle: BuiltInHook[] = Object.entries(IDLE_RULES).map(([name, rule]) => ({
    name,
    event: "TeammateIdle",
    description: IDLE_WORDS[name as keyof typeof IDLE_RULES],
    // A lead whose runs work is not about to stop.
    check: checking(Idle, async (asked, input) =>
      asked.lead?.isWaiting === true
        ? []
        : rule(known(idleStates, input, () => idleState(parts, asked.project_id, asked))),
    ),
  }));
  const shutdown: BuiltInHook[] = Object.entries(SHUTDOWN_RULES).map(([name, rule]) => ({
    name,
    event: "PreShutdown",
    description: SHUTDOWN_WORDS[name as keyof typeof SHUTDOWN_RULES],
    check: checking(Asked, async (asked, input) =>
      rule(known(shutdownStates, input, () => shutdownState(parts, asked.project_id))),
    ),
  }));
  return [...completion(parts), ...idle, ...shutdown];
}

function completion(parts: BuiltInParts): BuiltInHook[] {
  return [
    {
      name: COMPLETION_NOTES,
      event: "TaskCompleted",
      description: "A completed task has completion notes; without any, it gets the summary of its run.",
      check: async () => undefined,
    },
    {
      name: CRITERIA_ADDRESSED,
      event: "TaskCompleted",
      description: "The agent says of each acceptance criterion whether it is met.",
      check: checking(Completing, (asked) => criteriaFindings(parts, asked)),
    },
  ];
}

async function criteriaFindings(
  { tasks, plannedOf }: BuiltInParts,
  { project_id, task_id, run_id, criteria: reported, acceptance_criteria: given }: z.infer<typeof Completing>,
): Promise<Finding[]> {
  const planned = run_id === undefined ? undefined : (plannedOf(run_id) ?? []);
  const all = given ?? (await tasks.get(project_id, task_id)).acceptanceCriteria;
  const criteria = unaddressedCriteria({ criteria: all, reported, planned });
  const by = given === undefined ? "agent" : "client";
  return criteria.length === 0 ? [] : [{ code: "criteria_unaddressed", by, criteria }];
}

/** What was said in an earlier round is not said again. An input of another form has nothing that could be checked. */
function checking<Shape extends z.ZodType<z.infer<typeof Asked>>>(
  shape: Shape,
  find: (asked: z.infer<Shape>, input: HookInput) => Promise<Finding[]>,
): BuiltInHook["check"] {
  return async (input) => {
    const asked = shape.safeParse(input);
    if (!asked.success || asked.data.round > 1) return undefined;
    const findings = await find(asked.data, input);
    return findings.length === 0 ? undefined : findingsText(findings);
  };
}

/** The checks of one moment look at the same state. */
function known<State>(states: WeakMap<HookInput, State>, input: HookInput, read: () => State): State {
  const state = states.get(input) ?? read();
  states.set(input, state);
  return state;
}
