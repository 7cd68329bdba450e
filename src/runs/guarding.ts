import type { Guards, Permit, Remark } from "../contract/runs/guarding.ts";
import type { Run } from "../contract/runs/run.ts";
import { Attachment, type Attachments } from "../workspace/attachments.ts";

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
  /** The session of a project's agent begins. */
  starting(projectId: string): Promise<Remark>;
  permit(call: AgentCall): Promise<Permit>;
  called(call: AgentCall & { output: string; failed: boolean }): Promise<Remark>;
}

/** What one floor has to say about runs. It is asked about every call that any guard wants to be asked about. */
export interface RunGuard {
  /** Which calls of a run are asked about, beside those of tools that need consent. Undefined: none. */
  guardsOf(run: Run): Guards | undefined;
  starting?(run: Run): Promise<Remark>;
  /** `waits`: the person is asked; the call is asked about again when they have answered. Durable when it resolves. */
  permit?(call: GuardedCall): Promise<Permit | { state: "waits"; text: string }>;
  called?(call: GuardedCall & { output: string; failed: boolean }): Promise<Remark>;
  /** Before a run ends as completed. Asking again in the same round is answered the same. */
  ending?(run: Run, end: { output: string; report: unknown; round: number }): Promise<Remark>;
  /** Whether a task that has no completion notes gets those of its run. */
  fillsNotes?(run: Run): boolean;
}

/** Whose guards there are, in the order in which they are asked: whose file it is comes before what a person is asked about. */
export const GUARDS = ["file owners", "hooks and consent", "member checks"] as const;

/** Where runs ask about their calls. Each floor above adds its guard under its name; the first refusal is the last word. */
export class Guarding implements Required<RunGuard> {
  readonly #named: ReadonlyMap<(typeof GUARDS)[number], Attachment<RunGuard>>;

  constructor(attachments: Attachments) {
    this.#named = new Map(GUARDS.map((name) => [name, new Attachment<RunGuard>(attachments, `guard: ${name}`)]));
  }

  add(name: (typeof GUARDS)[number], guard: RunGuard): void {
    this.#named.get(name)?.attach(guard);
  }

  guardsOf(run: Run): Guards | undefined {
    const all = this.#all().flatMap((guard) => guard.guardsOf(run) ?? []);
    if (all.length === 0) return undefined;
    const before = toolsOf(all.map((guards) => guards.before));
    const after = toolsOf(all.map((guards) => guards.after));
    const ending = all.some((guards) => guards.ending === "decides")
      ? "decides"
      : all.find((one) => one.ending)?.ending;
    return {
      ...(before && { before }),
      ...(after && { after }),
      ...(all.some(({ starting }) => starting) && { starting: true }),
      ...(ending && { ending }),
    };
  }

  async starting(run: Run): Promise<Remark> {
    return together(await Promise.all(this.#all().map((guard) => guard.starting?.(run) ?? {})));
  }

  async permit(call: GuardedCall): ReturnType<NonNullable<RunGuard["permit"]>> {
    const given: Extract<Permit, { allowed: true }>[] = [];
    for (const guard of this.#all()) {
      const permit = (await guard.permit?.(call)) ?? { allowed: true };
      if ("state" in permit || !permit.allowed) return permit;
      given.push(permit);
    }
    const { feedback: remark, hooks } = together(given.map((one) => ({ feedback: one.remark, hooks: one.hooks })));
    return { allowed: true, ...(remark && { remark }), ...(hooks && { hooks }) };
  }

  async called(call: Parameters<NonNullable<RunGuard["called"]>>[0]): Promise<Remark> {
    return together(await Promise.all(this.#all().map((guard) => guard.called?.(call) ?? {})));
  }

  async ending(run: Run, end: Parameters<NonNullable<RunGuard["ending"]>>[1]): Promise<Remark> {
    const said: Remark[] = [];
    for (const guard of this.#all()) {
      if (guard.guardsOf(run)?.ending !== undefined) said.push((await guard.ending?.(run, end)) ?? {});
      if (said.at(-1)?.feedback !== undefined) break;
    }
    return together(said);
  }

  fillsNotes(run: Run): boolean {
    return this.#all().some((guard) => guard.fillsNotes?.(run));
  }

  #all(): RunGuard[] {
    return [...this.#named.values()].map(({ part }) => part);
  }
}

/** Undefined: none. */
function toolsOf(named: readonly (readonly string[] | undefined)[]): string[] | undefined {
  const tools = [...new Set(named.flatMap((tools) => tools ?? []))];
  return tools.length === 0 ? undefined : tools;
}

function together(remarks: readonly Remark[]): Remark {
  const feedback = remarks.flatMap((one) => one.feedback ?? []).join("\n");
  const hooks = remarks.flatMap((one) => one.hooks ?? []);
  return {
    ...Object.assign({}, ...remarks),
    ...(feedback === "" ? {} : { feedback }),
    ...(hooks.length === 0 ? {} : { hooks }),
  };
}
