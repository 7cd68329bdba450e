import { z } from "zod";
import { CriterionReport } from "../../contract/runs/criterion-report.ts";
import type { Guards, Permit } from "../../contract/runs/guarding.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { GuardedCall, RunGuard } from "../../runs/guarding.ts";
import { COMPLETION_NOTES } from "../checks/built-in-names.ts";
import type { HookInput, Hooks, HookVerdict } from "../hooks/hooks.ts";

/** Asks the person, for tools that need consent. */
export interface Consent {
  permit(call: GuardedCall): Promise<Permit | { state: "waits"; text: string }>;
}

interface Parts {
  hooks: Hooks;
  consent: Consent;
  /** Whether a built-in check looks at the run before it ends. */
  checksEnd: (run: Run) => boolean;
}

/** Hooks are asked first, so that the person is not asked about what would be refused anyway. */
export function runGuard({ hooks, consent, checksEnd }: Parts): RunGuard {
  const endingOf = (run: Run): Pick<Guards, "ending"> => {
    if (run.purpose !== "work" || run.parentRunId !== undefined) return {};
    if (hooks.has("TaskCompleted", run.projectId)) return { ending: "decides" };
    return checksEnd(run) ? { ending: "reminds" } : {};
  };
  return {
    fillsNotes: () => hooks.isEnabled(COMPLETION_NOTES),
    guardsOf: (run) => {
      const before = hooks.toolsOf("PreToolUse", run.projectId);
      const after = hooks.toolsOf("PostToolUse", run.projectId);
      const guards = {
        ...(before.length === 0 ? {} : { before }),
        ...(after.length === 0 ? {} : { after }),
        ...(hooks.has("SessionStart", run.projectId) ? { starting: true as const } : {}),
        ...endingOf(run),
      };
      return Object.keys(guards).length === 0 ? undefined : guards;
    },
    starting: async (run) => {
      const verdict = await hooks.run({ ...runInput("SessionStart", run), source: "startup" });
      return { ...fed(verdict), ...traced(verdict) };
    },
    sessionStarting: async (projectId) => {
      if (!hooks.has("SessionStart", projectId)) return {};
      const verdict = await hooks.run({ hook_event_name: "SessionStart", project_id: projectId, source: "startup" });
      return { ...fed(verdict), ...traced(verdict) };
    },
    permit: async (call) => {
      const verdict = await hooks.run(callInput("PreToolUse", call));
      if (verdict.interrupted === true) return never();
      if (verdict.refused)
        return { allowed: false, reason: verdict.feedback ?? "A hook refused this call.", ...traced(verdict) };
      const permit = call.ask.includes(call.tool) ? await consent.permit(call) : { allowed: true as const };
      return "state" in permit ? permit : { ...permit, ...traced(verdict) };
    },
    called: async ({ output, failed, ...call }) => {
      const told = { ...callInput("PostToolUse", call), tool_response: { output, failed } };
      const verdict = await hooks.run(told);
      return { ...fed(verdict), ...traced(verdict) };
    },
    ending: async (run, end) => {
      const verdict = await hooks.run({ ...runInput("TaskCompleted", run), ...end, ...reportedIn(end.report) });
      if (verdict.interrupted === true) return never();
      if (!verdict.refused) return traced(verdict);
      const feedback = verdict.feedback ?? "A hook refused this result.";
      return { feedback, ...(verdict.isReminder ? {} : { refused: true as const }), ...traced(verdict) };
    },
  };
}

/** The run's process is about to leave the run as it is; the next one asks again. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

function runInput(hook_event_name: HookInput["hook_event_name"], { id, projectId, taskId }: Run): HookInput {
  return { hook_event_name, session_id: id, run_id: id, project_id: projectId, task_id: taskId };
}

const Reported = z.object({ criteria: z.array(CriterionReport) });

function reportedIn(report: unknown): { criteria: CriterionReport[] } {
  return Reported.safeParse(report).data ?? { criteria: [] };
}

function callInput(event: "PreToolUse" | "PostToolUse", { run, callId, tool, input }: GuardedCall): HookInput {
  return { ...runInput(event, run), tool_name: tool, tool_input: parsed(input), tool_use_id: callId };
}

/** As an object where it is JSON; hooks must be able to see what is not, too. */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function fed({ feedback }: HookVerdict): { feedback?: string } {
  return feedback === undefined ? {} : { feedback };
}

function traced({ traces }: HookVerdict): { hooks?: HookVerdict["traces"] } {
  return traces.length === 0 ? {} : { hooks: traces };
}
