import type { TurnStep } from "../contract/documents/channel.ts";
import type { SessionEntry } from "../contract/runs/session.ts";
import { callWords } from "../contract/words/call-words.ts";
import { cutText } from "../contract/words/cut-text.ts";

const MOST_STEPS = 50;
const LONGEST_TEXT = 1_000;

/** What an agent did before it answered: its calls, and what it said before them. The newest, where there are many. */
export function stepsIn(entries: readonly SessionEntry[]): TurnStep[] {
  const failed = new Set(entries.flatMap((entry) => (entry.type === "result" && entry.failed ? [entry.id] : [])));
  const steps = entries.flatMap((entry): TurnStep[] => {
    if (entry.type !== "answer" || entry.calls === undefined || entry.calls.length === 0) return [];
    const text = entry.text.trim();
    return [
      ...(text === "" ? [] : [{ is: "said" as const, text: cutText(text, LONGEST_TEXT) }]),
      ...entry.calls.map(({ id, name, input }) => ({
        is: "called" as const,
        tool: name,
        about: callWords(input),
        ...(failed.has(id) ? { failed: true as const } : {}),
      })),
    ];
  });
  return steps.slice(-MOST_STEPS);
}
