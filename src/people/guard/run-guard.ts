import { z } from "zod";
import { CriterionReport } from "../../contract/runs/criterion-report.ts";
import type { Guards, Permit } from "../../contract/runs/guarding.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { AgentCall, AgentGuard, GuardedCall, RunGuard } from "../../runs/guarding.ts";
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
      const guards = {
        ...callsGuarded(hooks, run.projectId),
        ...(hooks.has("SessionStart", run.projectId) ? { starting: true as const } : {}),
        ...endingOf(run),
      };
      return Object.keys(guards).length === 0 ? undefined : guards;
    },
    starting: async (run) => {
      const verdict = await hooks.run({ ...runInput("SessionStart", run), source: "startup" });
      return { ...fed(verdict), ...traced(verdict) };
    },
    permit: async (call) => {
      const verdict = await hooks.run(callInput("PreToolUse", call));
      if (verdict.interrupted === true) return never();
      if (verdict.refused) return refusedBy(verdict);
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

/** Agents with a session are asked about as runs are. They can't wait for consent, so what needs it is left to a run, which can. */
export function agentGuard(hooks: Hooks): AgentGuard {
  return {
    guardsOf: (projectId) => callsGuarded(hooks, projectId),
    starting: async (projectId) => {
      if (!hooks.has("SessionStart", projectId)) return {};
      const verdict = await hooks.run({ hook_event_name: "SessionStart", project_id: projectId, source: "startup" });
      return { ...fed(verdict), ...traced(verdict) };
    },
    permit: async (call) => {
      const verdict = await hooks.run(agentInput("PreToolUse", call));
      if (verdict.interrupted === true) return never();
      if (verdict.refused) return refusedBy(verdict);
      return call.ask.includes(call.tool)
        ? { allowed: false, reason: NEEDS_CONSENT, ...traced(verdict) }
        : { allowed: true, ...traced(verdict) };
    },
    called: async ({ output, failed, ...call }) => {
      const verdict = await hooks.run({ ...agentInput("PostToolUse", call), tool_response: { output, failed } });
      return { ...fed(verdict), ...traced(verdict) };
    },
  };
}

function callsGuarded(hooks: Hooks, projectId: string | undefined): Pick<Guards, "before" | "after"> {
  const before = hooks.toolsOf("PreToolUse", projectId);
  const after = hooks.toolsOf("PostToolUse", projectId);
  return { ...(before.length === 0 ? {} : { before }), ...(after.length === 0 ? {} : { after }) };
}

const NEEDS_CONSENT =
  "The run that this message came from needs the person's permission for this tool, so you need it, too. Start a run for it: its calls wait for the person.";

function refusedBy(verdict: HookVerdict): Permit {
  return { allowed: false, reason: verdict.feedback ?? "A hook refused this call.", ...traced(verdict) };
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

function agentInput(event: "PreToolUse" | "PostToolUse", { projectId, callId, tool, input }: AgentCall): HookInput {
  const session_id = projectId === undefined ? "main" : `project:${projectId}`;
  const about = { hook_event_name: event, session_id, project_id: projectId };
  return { ...about, tool_name: tool, tool_input: parsed(input), tool_use_id: callId };
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
