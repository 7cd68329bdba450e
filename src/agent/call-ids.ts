import type { JournalEntry } from "../contract/runs/journal.ts";
import type { ModelAnswer, ToolCall } from "../contract/runs/model-call.ts";
import type { SessionEntry } from "../contract/runs/session.ts";

/** The calls of a run. Results and children are known by a call's id, and some providers count anew with every answer. */
export class CallIds {
  readonly #taken: Set<string>;

  constructor(entries: readonly (JournalEntry | SessionEntry)[]) {
    this.#taken = new Set(
      entries.flatMap((entry) => (entry.type === "answer" ? (entry.calls ?? []).map((call) => call.id) : [])),
    );
  }

  /** The answer, with no call under an id that was used before. */
  own(answer: ModelAnswer): ModelAnswer {
    return { ...answer, calls: answer.calls.map((call) => this.#ownCall(call)) };
  }

  #ownCall(call: ToolCall): ToolCall {
    let id = call.id || "call";
    for (let number = 2; this.#taken.has(id); number++) id = `${call.id || "call"}-${number}`;
    this.#taken.add(id);
    return id === call.id ? call : { ...call, id };
  }
}
