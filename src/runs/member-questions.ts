import type { Delegated } from "../agent/tools/member-tools.ts";
import type { Question } from "../contract/documents/escalation.ts";
import type { ChildAnswer } from "../contract/runs/hall-questions.ts";
import type { HandInOrder } from "../contract/runs/hand-in.ts";
import type { Run } from "../contract/runs/run.ts";

/** How a subagent is started for a member. */
export interface SubagentOrder {
  roleId: string;
  title: string;
  description: string;
  /** What it hands in, of one that only reads. */
  handIn?: HandInOrder | undefined;
}

export interface Delegating extends Delegated {
  run: Run;
  callId: string;
  /** Resolves when the subagent's run is over. The same call starts one run, also after a crash. */
  start(order: SubagentOrder): Promise<{ run: Run; answer: ChildAnswer }>;
  /** What the member's folder holds now, as a tree; undefined where that is not known. */
  tree(): Promise<string | undefined>;
}

/** `ask`: what has to be decided before the member goes on. */
export type DelegatedOutcome = ChildAnswer & { ask?: Question | undefined };

/** What members of teams ask. */
export interface MemberAnswers {
  /** Throws what an agent can read. */
  task(run: Run, named: string | undefined): string;
  delegate(asked: Delegating): Promise<DelegatedOutcome>;
}
