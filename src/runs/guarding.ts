import type { Guards, Permit, Remark } from "../contract/runs/guarding.ts";
import type { Run } from "../contract/runs/run.ts";

/** A call that a run decided on. The same call id is the same call, also after a restart. */
export interface GuardedCall {
  run: Run;
  /** Tools whose calls need consent, by the run's plan. */
  ask: readonly string[];
  callId: string;
  tool: string;
  /** As the model wrote it. */
  input: string;
  /** What was brought to the run as the answer to this call, while it waited. */
  brought?: string | undefined;
}

/** A call of an agent with a session. */
export interface AgentCall {
  /** Undefined: the main agent. */
  projectId: string | undefined;
  /** Tools that need consent in the run whose words the agent acts on. */
  ask: readonly string[];
  /** Unique among all calls of the agent. */
  callId: string;
  tool: string;
  input: string;
}

/** What is asked about calls of agents with a session, which can't wait for the person. */
export interface AgentGuard {
  guardsOf(projectId: string | undefined): Pick<Guards, "before" | "after"> | undefined;
  permit(call: AgentCall): Promise<Permit>;
  called(call: AgentCall & { output: string; failed: boolean }): Promise<Remark>;
}

export interface RunGuard {
  agents: AgentGuard;
  /** Which calls of a run are asked about, beside those of tools that need consent. Undefined: none. */
  guardsOf(run: Run): Guards | undefined;
  starting(run: Run): Promise<Remark>;
  /** Of a project's agent. */
  sessionStarting(projectId: string): Promise<Remark>;
  /** `waits`: the person is asked; the call is asked about again when they have answered. Durable when it resolves. */
  permit(call: GuardedCall): Promise<Permit | { state: "waits"; text: string }>;
  called(call: GuardedCall & { output: string; failed: boolean }): Promise<Remark>;
  /** Before a run ends as completed. Asking again in the same round is answered the same. */
  ending(run: Run, end: { output: string; report: unknown; round: number }): Promise<Remark>;
  /** Whether a task that has no completion notes gets those of its run. */
  fillsNotes(run: Run): boolean;
}

/** Where runs ask about their calls. A floor above answers; without it nothing is asked. */
export class Guarding {
  #guard: RunGuard | undefined;

  /** Before runs are taken up. */
  attach(guard: RunGuard): void {
    this.#guard = guard;
  }

  get guard(): RunGuard | undefined {
    return this.#guard;
  }
}
