import type { JournalEntry } from "../contract/runs/journal.ts";
import type { Thought, ToolCall } from "../contract/runs/model-call.ts";
import type { Redactor } from "../store/secrets/redaction.ts";

/** An entry as the journal and the model get it. What belongs to the provider stays as it is. */
export function redactedEntry(entry: JournalEntry, redactor: Redactor): JournalEntry {
  switch (entry.type) {
    case "answer":
      return {
        ...entry,
        text: redactor.text(entry.text),
        ...(entry.thinking === undefined ? {} : { thinking: redactedThoughts(entry.thinking, redactor) }),
        ...(entry.calls === undefined ? {} : { calls: redactedCalls(entry.calls, (input) => redactor.json(input)) }),
      };
    case "result":
      return {
        ...entry,
        output: redactor.text(entry.output),
        ...(entry.files === undefined ? {} : { files: redactor.deep(entry.files) }),
      };
    case "message":
    case "summary":
      return { ...entry, text: redactor.text(entry.text) };
    case "failure":
      return { ...entry, reason: redactor.text(entry.reason) };
    case "ended":
      return { ...entry, end: redactor.deep(entry.end) };
    default:
      return entry;
  }
}

/** A provider signs thoughts: one that had to be changed would be refused, so it is left out. */
export function redactedThoughts(thoughts: readonly Thought[], redactor: Redactor): Thought[] {
  return thoughts.filter(({ text }) => redactor.text(text) === text);
}

export function redactedCalls(calls: readonly ToolCall[], redact: (input: string) => string): ToolCall[] {
  return calls.map((call) => ({ ...call, input: redact(call.input) }));
}
