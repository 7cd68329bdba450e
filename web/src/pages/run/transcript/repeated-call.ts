import { callWords } from "../../../../../src/contract/words/call-words.ts";
import type { Item } from "./transcript-model.ts";

export interface RepeatedCall {
  name: string;
  words: string;
  /** The first line of what came of it, where it failed. */
  error: string | undefined;
}

const LONGEST = 300;

/** The calls of the last answer that made any. */
export function lastCalls(items: readonly Item[]): RepeatedCall[] {
  const calls = items.filter((item) => item.kind === "call");
  const turn = calls.at(-1)?.turn;
  return calls
    .filter((item) => item.turn === turn)
    .map(({ call: { name, input } }) => {
      // The last of them may not have been carried out any more.
      const same = calls.findLast(
        (item) => item.result !== undefined && item.call.name === name && item.call.input === input,
      );
      const error = same?.result?.failed ? same.result.output.trim().split("\n", 1)[0] : undefined;
      return { name, words: callWords(input), error: error?.slice(0, LONGEST).toWellFormed() };
    });
}
