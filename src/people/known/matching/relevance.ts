import { formOf } from "./question-form.ts";
import type { Posed } from "./same-question.ts";

/**
 * How much of the telling words of the shorter of the two they have to share. Measured on the scripted questions: every right
 * answer shares all of them, 98 of 100 other answers of the same project share less than this.
 */
const LEAST_SHARED = 0.3;

/** Whether a recorded fact has anything to do with a question. Where it has not, no agent may settle the question with it. */
export function isAbout(fact: string, { form, options }: Posed): boolean {
  const asked = new Set([...form.words, ...options.flatMap((option) => [...option.words])]);
  const { words } = formOf(fact);
  const shared = [...asked].filter((word) => words.has(word)).length;
  const shorter = Math.min(asked.size, words.size);
  return shared > 0 && shared / shorter >= LEAST_SHARED;
}
