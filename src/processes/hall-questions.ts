import type { z } from "zod";
import { HallError } from "../contract/errors.ts";
import { plainWords } from "../contract/words/issue-words.ts";
import { type Action, assertMay } from "../workspace/rights.ts";

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

export interface HallQuestion {
  /** What it asks for, by which it is allowed or not. */
  action: Action;
  answer: HallAnswer;
  /** Not waited for when the hall stops: whoever asks again finds what came of it, or nothing is left behind. */
  mayBeCutOff?: true;
}

/** What projects' processes may ask of the hall, by name. */
export type HallQuestions = Readonly<Record<string, HallQuestion>>;

export function answerQuestion(questions: HallQuestions) {
  return async ({ what, input }: { what: string; input: unknown }, asking: Asking): Promise<unknown> => {
    const question = Object.hasOwn(questions, what) ? questions[what] : undefined;
    if (question === undefined) throw new HallError("invalid", `Unknown request '${what.slice(0, 100)}'.`);
    const { projectId: project, runId } = asking;
    assertMay({ kind: runId === undefined ? "projectAgent" : "run", project }, question.action, { project });
    return question.answer(input, asking);
  };
}

/** What was asked, in words that an agent can mend it by. */
export function checkedInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: plainWords });
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues.map(({ path, message }) => `${path.map(String).join(".") || "input"}: ${message}`);
  throw new HallError("invalid", `${words.join("; ")}.`);
}
