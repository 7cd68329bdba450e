import type { ShownEntry } from "../../../../src/contract/runs/session.ts";

type Entry<Type extends ShownEntry["type"]> = Extract<ShownEntry, { type: Type }>;

interface Call {
  id: string;
  name: string;
  input: string;
  /** Absent: it has none yet, or its result is on another page. */
  result?: Entry<"result"> | undefined;
}

/** One step of a session as it is read: a call stands together with its result. */
export type SessionStep = { key: string } & (
  | { is: "told"; message: Entry<"message"> }
  | { is: "thought"; text: string }
  | { is: "did"; call: Call }
  | { is: "said"; text: string; at: string; model: string }
  | { is: "summary"; text: string; previous: string }
  | { is: "note"; text: string; isBad: boolean }
);

/** Entries must come in their order. What a newer daemon writes is left out. */
export function stepsOf(entries: readonly ShownEntry[]): SessionStep[] {
  const steps: SessionStep[] = [];
  const open = new Map<string, Call>();
  for (const entry of entries) {
    const key = String(entry.offset);
    if (entry.type === "answer") steps.push(...answerSteps(entry, key, open));
    else if (entry.type === "result") {
      const call = open.get(entry.id);
      if (call === undefined) steps.push({ is: "did", key, call: { ...entry, input: "", result: entry } });
      else call.result = entry;
    } else steps.push(...otherSteps(entry, key));
  }
  return steps;
}

function answerSteps(answer: Entry<"answer">, key: string, open: Map<string, Call>): SessionStep[] {
  const { thinking = [], calls = [], text, at, model } = answer;
  const thoughts = thinking
    .filter((thought) => thought.text.trim() !== "")
    .map((thought, index) => ({ is: "thought" as const, key: `${key} thought ${index}`, text: thought.text }));
  const said = text.trim() === "" ? [] : [{ is: "said" as const, key: `${key} said`, text, at, model }];
  const did = calls.map((each, index) => {
    const call: Call = { id: each.id, name: each.name, input: each.input };
    open.set(each.id, call);
    return { is: "did" as const, key: `${key} call ${index}`, call };
  });
  return [...thoughts, ...said, ...did];
}

function otherSteps(entry: ShownEntry, key: string): SessionStep[] {
  switch (entry.type) {
    case "message":
      return [{ is: "told", key, message: entry }];
    case "summary":
      return [{ is: "summary", key, text: entry.text, previous: entry.previous }];
    case "failure":
      return [{ is: "note", key, text: `The model didn't answer: ${entry.reason}`, isBad: true }];
    case "waiting":
      return [{ is: "note", key, text: entry.text, isBad: false }];
    case "ended": {
      if (entry.outcome === "answered") return [];
      const why = entry.error === undefined ? "" : `: ${entry.error}`;
      return [{ is: "note", key, text: `The turn was ${entry.outcome}${why}`, isBad: entry.outcome !== "stopped" }];
    }
    default:
      return [];
  }
}
