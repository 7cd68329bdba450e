import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Delta } from "../../../../../src/contract/runs/model-call.ts";
import { thinkingText } from "./transcript-model.ts";

/** What an agent says at this moment and is not in the journal yet. */
export interface LiveAnswer {
  text: string;
  thinking: string;
  /** Tools that it is about to call. */
  calls: readonly { id: string; name: string }[];
  /** What commands say while they run, by call. */
  outputs: Readonly<Record<string, string>>;
  /** Why the model is asked again. */
  again?: string | undefined;
}

export const NOTHING_LIVE: LiveAnswer = { text: "", thinking: "", calls: [], outputs: {} };

const LONGEST_OUTPUT = 20_000;

export function withDelta(live: LiveAnswer, delta: Delta): LiveAnswer {
  switch (delta.kind) {
    case "restart":
      return { ...NOTHING_LIVE, outputs: live.outputs, again: delta.reason };
    case "text":
      return { ...live, text: live.text + delta.text, again: undefined };
    case "thinking":
      return { ...live, thinking: live.thinking + delta.text, again: undefined };
    case "call":
      return { ...live, calls: [...live.calls, { id: delta.id, name: delta.name }], again: undefined };
    case "output": {
      const output = `${live.outputs[delta.id] ?? ""}${delta.text}`.slice(-LONGEST_OUTPUT).toWellFormed();
      return { ...live, outputs: { ...live.outputs, [delta.id]: output } };
    }
    default:
      return live;
  }
}

/**
 * Takes away what the journal has by now. Words of the next answer may have come before the journal was read, and the last
 * words of this one after it: only what comes after the answer's own words stays.
 */
export function withoutKept(live: LiveAnswer, entries: readonly JournalEntry[]): LiveAnswer {
  let left = live;
  for (const entry of entries) left = withoutEntry(left, entry);
  return left;
}

function withoutEntry(live: LiveAnswer, entry: JournalEntry): LiveAnswer {
  if (entry.type === "ended") return NOTHING_LIVE;
  if (entry.type === "result") {
    const { [entry.id]: _, ...outputs } = live.outputs;
    return { ...live, outputs };
  }
  if (entry.type !== "answer") return live;
  const ids = new Set(entry.calls?.map(({ id }) => id));
  return {
    ...live,
    text: after(live.text, entry.text),
    thinking: after(live.thinking, thinkingText(entry.thinking ?? [])),
    calls: live.calls.filter(({ id }) => !ids.has(id)),
  };
}

/** Whoever began to listen in the middle has only the end of it. */
function after(heard: string, kept: string): string {
  if (heard === "" || kept === "") return heard;
  for (let from = 0; from < kept.length; from++) {
    const end = kept.slice(from);
    if (heard.startsWith(end)) return heard.slice(end.length);
  }
  return "";
}
