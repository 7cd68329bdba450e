import type { HookEvent } from "../../contract/documents/hook.ts";

const call = { tool_name: "exec", tool_input: { command: "echo hello" }, tool_use_id: "call-1" };
const run = { session_id: "run-0", run_id: "run-0", task_id: "TASK-001" };
const task = { id: "TASK-001", title: "An example task", description: "", status: "pending" };

const INPUTS: Readonly<Record<HookEvent, Record<string, unknown>>> = {
  SessionStart: { ...run, source: "startup" },
  PreToolUse: { ...run, ...call },
  PostToolUse: { ...run, ...call, tool_response: { output: "hello", failed: false } },
  TaskCreated: { task, created_by: "person" },
  TaskCompleted: { ...run, output: "Done.", round: 1 },
  TeammateIdle: {},
  PreShutdown: { reason: "idle" },
  GateFinished: { ...run, gate: { id: "gate-0", verdict: "fail", score: 72, threshold: 90, cycle: 1 } },
  EscalationCreated: { escalation: { id: "esc-001", type: "question", question: "Redis or Memcached?" } },
};

/** For a test without an input of its own. */
export function exampleInput(event: HookEvent): Record<string, unknown> {
  return INPUTS[event];
}
