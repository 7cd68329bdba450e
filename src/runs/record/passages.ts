import type { JournalEntry } from "../../contract/runs/journal.ts";
import { callWords } from "../../contract/words/call-words.ts";
import type { Passage } from "../../workspace/records.ts";

/** Characters of one run that are searched, from its beginning on. */
const SEARCHED = 64_000;
/** Of a call, what is looked through for its words; of a failure, what is searched. */
const LOOKED_THROUGH = 20_000;
const OF_A_FAILURE = 1_000;

interface Turn {
  entry: number;
  said: string[];
}

/**
 * What is found of a run, turn by turn: what the agent said, what it called and what failed of that, what the person said
 * to it, and why it was not answered or did not end well. Results of calls that went well, and thoughts, are left out.
 */
export function passagesOf(entries: readonly JournalEntry[]): Passage[] {
  const turns: Turn[] = [];
  const calling = new Map<string, Turn>();
  entries.forEach((line, entry) => {
    if (line.type === "result") {
      if (line.failed) calling.get(line.id)?.said.push(line.output.slice(0, OF_A_FAILURE));
      return;
    }
    const turn = { entry, said: wordsOf(line) };
    turns.push(turn);
    if (line.type === "answer") for (const { id } of line.calls ?? []) calling.set(id, turn);
  });
  return bounded(turns);
}

function wordsOf(line: JournalEntry): string[] {
  switch (line.type) {
    case "answer":
      return [line.text, ...(line.calls ?? []).map(({ name, input }) => `${name} ${wordsOfCall(input)}`)];
    case "message":
      return line.from === "person" ? [line.text] : [];
    case "failure":
      return [line.reason];
    case "ended":
      return line.end.status === "completed" ? [] : [line.end.error];
    default:
      return [];
  }
}

function wordsOfCall(input: string): string {
  return callWords(input.slice(0, LOOKED_THROUGH));
}

function bounded(turns: readonly Turn[]): Passage[] {
  const passages: Passage[] = [];
  let left = SEARCHED;
  for (const { entry, said } of turns) {
    const text = said
      .filter((words) => words.trim() !== "")
      .join("\n")
      .slice(0, left)
      .toWellFormed();
    if (text !== "") passages.push({ entry, text });
    left -= text.length;
    if (left <= 0) break;
  }
  return passages;
}
