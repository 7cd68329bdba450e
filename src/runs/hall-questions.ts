import { HallError } from "../contract/errors.ts";

/** Who asks. What it may do follows from this alone, never from what it says of itself. */
export interface Asking {
  projectId: string;
  /** Absent when the project's own agent asks. */
  runId?: string | undefined;
  /** What the project's own agent answers while it asks. */
  messageId?: string | undefined;
  callId?: string | undefined;
}

/** Rejects with a message that an agent may read. The input comes from another process: it is checked here. */
export type HallAnswer = (input: unknown, asking: Asking) => Promise<unknown>;

/** What projects' processes may ask of the hall, by name. */
export type HallQuestions = Readonly<Record<string, HallAnswer>>;

export function answerQuestion(questions: HallQuestions) {
  return async ({ what, input }: { what: string; input: unknown }, asking: Asking): Promise<unknown> => {
    const answer = Object.hasOwn(questions, what) ? questions[what] : undefined;
    if (answer === undefined)
      throw new HallError("invalid", `The hall does not know the question '${what.slice(0, 100)}'.`);
    return answer(input, asking);
  };
}
