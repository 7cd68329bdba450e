import { createHash } from "node:crypto";
import { z } from "zod";
import type { Tool } from "../../agent/tool.ts";
import { jsonIn } from "../../agent/tools/review-tool.ts";
import type { GateReason } from "../../contract/documents/quality/gate.ts";
import { assumedUsd } from "../../contract/runs/assumed-price.ts";
import {
  Message,
  type ModelAnswer,
  ModelFailure,
  type ToolCall,
  type ToolSpec,
} from "../../contract/runs/model-call.ts";
import type { ModelGate } from "../../models/gate.ts";
import type { Reading } from "./readings.ts";

const MOST_TURNS = 30;
/** How often an answer may be unusable: it is asked for once more. */
const MOST_REFUSED = 2;
const LONGEST_MS = 600_000;

/** Where conversations are kept, so that what was paid for is not asked again after a crash. Content is what `write` was given. */
export interface TalkStore {
  read(projectId: string, key: string): unknown;
  /** Durable when it resolves. */
  write(projectId: string, key: string, talk: Talk): Promise<void>;
}

export interface Question {
  projectId: string;
  /** Whose tree pays; without one, the project does. */
  runId?: string | undefined;
  model: string;
  system: string;
  prompt: string;
  /** What it answers with. */
  tool: ToolSpec;
  /** What keeps an answer from being used; empty when nothing does. */
  problemsIn: (value: unknown) => readonly string[];
  /** What it may look at, and the tree that it sees there. */
  tree: string;
  readers?: readonly Tool[] | undefined;
  signal: AbortSignal;
}

interface Shown extends Question {
  hide: (text: string) => string;
}

const Talk = z.strictObject({ messages: z.array(Message), costUsd: z.number() });
export type Talk = z.infer<typeof Talk>;

interface Parts {
  /** Without secrets. */
  gate: Pick<ModelGate, "ask">;
  store: TalkStore;
  /** Hides the secrets of a project: what is asked is kept in a file. */
  redact: (projectId: string, text: string) => string;
}

/** Asks a model for one typed answer, in as few turns as it takes. Never rejects but for defects. */
export class ModelTalks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async ask(given: Question): Promise<Reading> {
    const { gate, store, redact } = this.#parts;
    const hide = (text: string) => redact(given.projectId, text);
    const question = { ...given, prompt: hide(given.prompt) };
    const { projectId, runId, model, system, prompt, tool, readers = [] } = question;
    const key = keyOf(question);
    let talk = this.#begun(question, key) ?? { messages: [{ role: "user" as const, text: prompt }], costUsd: 0 };
    const signal = AbortSignal.any([question.signal, AbortSignal.timeout(LONGEST_MS)]);
    const tools = [...readers.map(({ spec }) => spec), tool];
    const reading = (unable?: GateReason): Reading => ({
      ...{ model, costUsd: talk.costUsd, values: valuesIn(talk.messages, tool), text: lastText(talk.messages) },
      ...(unable === undefined ? {} : { unable }),
    });
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const standing = standingOf(talk.messages, question);
      if (standing !== "asks") return reading();
      let answer: ModelAnswer;
      try {
        const request = { model, thinking: "medium" as const, system, tools, messages: talk.messages };
        answer = await gate.ask(request, { projectId, runId, signal, onDelta: () => undefined });
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        return reading(reasonOf(error, question.signal));
      }
      if (answer.rehearsed === true)
        return reading({ code: "no-model", text: "The offline model has no playbook for it." });
      talk = {
        messages: [...talk.messages, ...(await said(answer, { ...question, hide }, signal))],
        costUsd: talk.costUsd + costOf(answer),
      };
      await store.write(projectId, key, talk);
    }
    return reading({ code: "unreadable-answer", text: `The model did not answer within ${MOST_TURNS} turns.` });
  }

  /** What was said before a crash, or all of it where the same was asked before and answered. */
  #begun(question: Question, key: string): Talk | undefined {
    const talk = Talk.safeParse(this.#parts.store.read(question.projectId, key)).data;
    return talk === undefined || standingOf(talk.messages, question) === "unusable" ? undefined : talk;
  }
}

/** The same question is the same by all that the model is told, and by what it can look up. */
function keyOf({ model, system, prompt, tool, tree }: Question): string {
  return createHash("sha256")
    .update(JSON.stringify([model, system, prompt, tool.name, tree]))
    .digest("hex")
    .slice(0, 32);
}

/** What follows in the conversation: the answer, and the results of its calls or another request for it. */
async function said(answer: ModelAnswer, question: Shown, signal: AbortSignal): Promise<Message[]> {
  const { text, thinking, calls } = answer;
  const spoken: Message = { role: "assistant", text, thinking, calls };
  if (calls.length === 0) return [spoken, { role: "user", text: `Call ${question.tool.name} with your whole answer.` }];
  const results = await Promise.all(
    calls.map(async (call) => ({ id: call.id, name: call.name, ...(await resultOf(call, question, signal)) })),
  );
  return [spoken, { role: "tool", results }];
}

async function resultOf(
  { id, name, input }: ToolCall,
  { tool, readers, problemsIn, hide }: Shown,
  signal: AbortSignal,
) {
  if (name === tool.name) {
    const problems = problemsIn(jsonIn(input));
    if (problems.length === 0) return { output: "Saved.", failed: false };
    return { output: `Not saved: ${problems.join("; ")}. Call ${name} again, with the whole answer.`, failed: true };
  }
  const reader = readers?.find(({ spec }) => spec.name === name);
  if (reader === undefined) return { output: `There is no tool ${name}.`, failed: true };
  const { output, failed = false } = await reader.run(input, { callId: id, signal });
  return { output: hide(output), failed };
}

/** `unusable`: it was asked once more, and there is nothing that can be used. */
function standingOf(messages: readonly Message[], { tool, problemsIn }: Question): "asks" | "answered" | "unusable" {
  const answers = messages.filter((message) => message.role === "assistant");
  let refused = 0;
  for (const { calls } of answers) {
    const own = calls.filter(({ name }) => name === tool.name);
    if (own.some(({ input }) => problemsIn(jsonIn(input)).length === 0)) return "answered";
    if (own.length > 0 || calls.length === 0) refused++;
  }
  return refused < MOST_REFUSED ? "asks" : "unusable";
}

function valuesIn(messages: readonly Message[], tool: ToolSpec): unknown[] {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  return calls.filter(({ name }) => name === tool.name).map(({ input }) => jsonIn(input));
}

function lastText(messages: readonly Message[]): string {
  const spoken = messages.filter((message) => message.role === "assistant");
  return spoken.findLast(({ text }) => text.trim() !== "")?.text ?? "";
}

function costOf({ costUsd: usd, usage: { input, output } }: ModelAnswer): number {
  return (usd ?? 0) + assumedUsd({ usd, input, output });
}

function reasonOf({ kind, message: text }: ModelFailure, asked: AbortSignal): GateReason {
  switch (kind) {
    case "budget":
      return { code: "budget", text };
    case "unknown_model":
    case "no_key":
      return { code: "no-model", text };
    case "timeout":
      return { code: "timeout", text };
    case "cancelled":
      return asked.aborted
        ? { code: "cancelled", text: "It was stopped." }
        : { code: "timeout", text: "The model took too long." };
    default:
      return { code: "no-review", text };
  }
}
