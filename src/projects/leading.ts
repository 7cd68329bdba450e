import type { BoardQuestion } from "../agent/tools/board-tools.ts";
import type { LeadQuestion } from "../agent/tools/lead-tools.ts";
import type { Actor } from "../contract/event.ts";

/** A call of a project's agent in a turn about its initiative. */
export interface LeadCall {
  projectId: string;
  /** Of the message that it answers. */
  root: string | undefined;
  actor: Actor;
  /** Asking again with the same one changes nothing more. */
  callId: string;
  /** Tools that need consent in what it starts. */
  ask?: string[] | undefined;
}

/** How a task of an initiative is begun. */
export interface TaskStart {
  projectId: string;
  taskId: string;
  role: string;
}

/** What a turn about an initiative ends with. */
export interface LeadTurn {
  initiative: string;
  /** Tasks that it could take now. */
  ready: string[];
  /** Its runs or teams go on. */
  isWaiting: boolean;
  hasReported: boolean;
}

export type StartRun = (start: TaskStart) => Promise<{ runId: string; text: string }>;

/** What is known of the lead that a message of a project's agent belongs to; asked of every message. */
export interface Leading {
  /** What the agent is told of its initiative while it answers; undefined: the message is not about one. */
  told(projectId: string, root: string | undefined): string | undefined;
  /** False: the message would have a lead work that is over. */
  isWanted(message: { id: string }): boolean;
  turn(projectId: string, root: string | undefined): LeadTurn | undefined;
  /** The initiative that the turn is about. */
  initiativeOf(root: string | undefined): string | undefined;
  /** Answers in words. Rejects with HallError when it is refused. `start`: starts a run as the agent itself would. */
  ask(what: LeadQuestion, input: unknown, call: LeadCall, start: StartRun): Promise<string>;
  /** The input of a change of the board as a lead makes it. Rejects what would not take tasks in their order. */
  onBoard(what: BoardQuestion, input: unknown, call: LeadCall): Promise<unknown>;
  /** It had a run started. */
  noteRun(root: string | undefined, runId: string): Promise<void>;
}
