import { type Delta, type Message, ModelFailure, type ModelRequest } from "../../contract/runs/model-call.ts";
import { tokensIn } from "../../contract/words/tokens.ts";
import { storageTrouble } from "../../store/files/storage-failure.ts";
import type { ModelSource, SourceAnswer } from "../gate.ts";
import { fillTurn, type Occasion, type Playbook, type Turn, turnAt } from "./playbook.ts";
import { NOTICE, rehearse, say } from "./rehearsal.ts";
import { rehearseResident } from "./resident-rehearsal.ts";
import { promptOf } from "./task-prompt.ts";

const REHEARSAL = "rehearsal";
const MOST_REMEMBERED = 1_000;
/** How long to wait before a playbook that the disk did not give is read again. */
const DISK_WAIT_MS = 2_000;

export interface Playbooks {
  /** Undefined when there is none; throws ModelFailure when it cannot be played. */
  named(name: string): Playbook | undefined;
  fitting(occasion: Occasion): Playbook | undefined;
}

export interface OfflineOptions {
  playbooks: Playbooks;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Who is played in a run. */
  roleOf: (runId: string) => Occasion["role"];
}

/**
 * Plays the agent without a key and without cost. `offline/<name>` plays that playbook; `offline/rehearsal` plays one
 * that fits the run, or else looks at the task and its files and reports what it found, or as an agent that lives
 * on tells what it knows. What it does follows from the conversation and the role alone, so an interrupted run goes on where it was.
 */
export function offlineModel({ playbooks, sleep, roleOf }: OfflineOptions): ModelSource {
  const failures = new ScriptedFailures();
  const find = (name: string, occasion: Occasion): Playbook | undefined => {
    const playbook = playbooks.named(name) ?? (name === REHEARSAL ? playbooks.fitting(occasion) : undefined);
    if (playbook === undefined && name !== REHEARSAL)
      throw new ModelFailure(
        "unknown_model",
        `No playbook '${name}' for the offline model. Expected file: playbooks/${name}.yml.`,
      );
    return playbook;
  };
  return {
    assertKnown: (name) => void find(name, { prompt: "" }),
    ask: async (request, name, { signal, onDelta, runId }) => {
      signal.throwIfAborted();
      const role = runId === undefined ? undefined : roleOf(runId);
      const tools = request.tools.map((tool) => tool.name);
      const prompt = promptOf(request.messages);
      const playbook = fromDisk(() => find(name, { prompt, system: request.system, role, tools }));
      const number = turnNumber(request.messages);
      const turn = decide(request, playbook, number);
      failures.failOrPass(turn, `${name} ${number} ${prompt}`);
      await utter({ kind: "thinking", text: turn.think ?? "" }, turn.delayMs / 2, { sleep, signal, onDelta });
      await utter({ kind: "text", text: turn.text }, turn.delayMs / 2, { sleep, signal, onDelta });
      const rehearsed = playbook === undefined ? { rehearsed: true as const } : {};
      return { ...toAnswer(turn, number, request), ...rehearsed };
    },
  };
}

/** A disk that fails is told as what it is, without paths; the gate tries again. */
function fromDisk<Found>(read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    const trouble = storageTrouble(error);
    if (trouble === undefined) throw error;
    throw new ModelFailure("broken", `The offline model's playbook could not be read: ${trouble}.`, DISK_WAIT_MS);
  }
}

const PIECE_MS = 60;

interface Utterance {
  sleep: OfflineOptions["sleep"];
  signal: AbortSignal;
  onDelta: (delta: Delta) => void;
}

/** Says something within a time, a few words after the other as a model does; with no time, all at once. */
async function utter({ kind, text }: { kind: "thinking" | "text"; text: string }, ms: number, to: Utterance) {
  const pieces = piecesOf(text, Math.floor(ms / PIECE_MS));
  for (const piece of pieces) {
    if (ms > 0) await to.sleep(ms / pieces.length, to.signal);
    if (piece !== "") to.onDelta({ kind, text: piece });
  }
}

/** At most so many pieces, of whole words; always one, and together the text. */
function piecesOf(text: string, most: number): string[] {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  const each = Math.ceil(words.length / Math.max(1, most));
  return Array.from({ length: Math.ceil(words.length / each) }, (_, at) =>
    words.slice(at * each, (at + 1) * each).join(""),
  );
}

/** A request without tools is no turn of an agent: someone wants a word from the model, or a summary. */
function decide(request: ModelRequest, playbook: Playbook | undefined, number: number): Turn {
  if (request.tools.length === 0) return say(`${NOTICE} ${heard(request.messages)}`);
  if (playbook === undefined) return rehearseResident(request) ?? rehearse(request);
  const turn = turnAt(playbook, number);
  return turn === undefined ? say("The offline model's playbook has ended.") : fillTurn(turn, request.messages);
}

function heard(messages: readonly Message[]): string {
  const words = promptOf(messages)
    .split(/\s+/)
    .filter((word) => word !== "").length;
  return `The request has ${words} words; I can't summarize it.`;
}

/** How many turns were played. The ids of its calls tell, even when older turns are no longer in the conversation. */
function turnNumber(messages: readonly Message[]): number {
  const answers = messages.filter((message) => message.role === "assistant");
  const at = answers.findLastIndex((answer) => answer.calls.length > 0);
  const last = /^offline-(\d+)-\d+$/.exec(answers[at]?.calls[0]?.id ?? "")?.[1];
  return last === undefined ? answers.length : Number(last) + answers.length - at;
}

/** Counts the failures a playbook asks for, run by run; forgotten once the turn was played, so the next run has them too. */
class ScriptedFailures {
  readonly #times = new Map<string, number>();

  failOrPass({ fail }: Turn, key: string): void {
    if (fail === undefined) return;
    const times = this.#times.get(key) ?? 0;
    this.#times.delete(key);
    if (times >= fail.times) return;
    this.#times.set(key, times + 1);
    const oldest = this.#times.keys().next().value;
    if (this.#times.size > MOST_REMEMBERED && oldest !== undefined) this.#times.delete(oldest);
    throw new ModelFailure(
      fail.kind,
      `The playbook makes this attempt fail (${fail.kind}, ${times + 1} of ${fail.times}).`,
      0,
    );
  }
}

function toAnswer(turn: Turn, number: number, { system, messages }: ModelRequest): SourceAnswer {
  const calls = turn.calls.map(({ tool, input, rawInput }, position) => ({
    id: `offline-${number}-${position}`,
    name: tool,
    input: rawInput ?? JSON.stringify(input),
  }));
  return {
    text: turn.text,
    thinking: turn.think === undefined ? [] : [{ text: turn.think }],
    calls,
    finish: turn.finish ?? (calls.length > 0 ? "calls" : "end"),
    usage: {
      input: tokensIn(system.length + JSON.stringify(messages.at(-1) ?? "").length),
      output: tokensIn(turn.text.length + JSON.stringify(calls).length),
      cacheRead: 0,
      cacheWrite: 0,
      reasoning: 0,
    },
    measured: true,
  };
}
