import type { Activity } from "../contract/runs/activity.ts";
import type { JournalEntry, RunEnd } from "../contract/runs/journal.ts";
import {
  type Message,
  type ModelAnswer,
  ModelFailure,
  type ModelFailureKind,
  type ToolCall,
  type ToolSpec,
} from "../contract/runs/model-call.ts";
import type { RunLimits } from "../contract/runs/run.ts";
import { callActivity } from "../contract/words/activity-words.ts";
import { errorText } from "../contract/words/error-text.ts";
import { bareSummary, compactionOf, summaryPrompt } from "./compaction.ts";
import { slowdownOf, warningOf } from "./repeats.ts";
import type { Tool, ToolOutcome } from "./tool.ts";
import type { Answer, Transcript } from "./transcript.ts";

export interface AgentContext {
  /** Whose tools they are, for a refusal: "role 'coder'", "the project agent". */
  who: string;
  /** What the limits are of, as the agent and people are told: "The run", "The answer". */
  what: string;
  model: string;
  limits: Pick<RunLimits, "turns" | "tokens" | "repeats">;
  contextWindow: number;
  /** What was said so far; the agent goes on from there. */
  transcript: Transcript;
  /** The open call at which it was left to wait: neither it nor those behind it were carried out. */
  parkedAt?: string | undefined;
}

export interface AgentPorts {
  /** Rejects with ModelFailure only. `aside`: not a part of the conversation. */
  ask(request: { messages: Message[]; tools: ToolSpec[]; aside?: boolean }): Promise<ModelAnswer>;
  tools: Tool[];
  /** Takes an entry down; the promise resolves when it is on disk. */
  journal(entry: JournalEntry): Promise<void>;
  /** Runs a tool when there is a place for it. */
  withToolSlot<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Messages that came since the last time. */
  takeMessages(): Extract<JournalEntry, { type: "message" }>[];
  /** With whatever it holds: `shownActivity` makes it fit to be seen. */
  onActivity(activity: Activity, turn: number): void;
  /** Rejects when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** An entry without secrets: so it is taken down, and so the model is told of it. */
  redact(entry: JournalEntry): JournalEntry;
  signal: AbortSignal;
  clock: () => Date;
  /** Milliseconds of a clock that never jumps. */
  uptime: () => number;
}

const UNKNOWN_OUTCOME =
  "Interrupted, outcome unknown: Guildhall stopped during this call. Treat it as cancelled, and verify before you repeat it.";
const CUT_CALL =
  "Your answer reached its length limit during this call, so the call was not run. Use smaller pieces: write part of the file, then extend it with edit.";
const GO_ON = "Your answer reached its length limit. Continue from there, and be brief.";
/** Answers in a row that may be cut off before the run is given up. */
const MOST_CUT = 3;

interface Work extends AgentContext {
  ports: AgentPorts;
  /** Whether the answer was cut off, so that its last call may be half a one. */
  isCut?: boolean;
  /** Resolves when it is on disk. */
  take(entry: JournalEntry): Promise<void>;
}

type Failure = Pick<Extract<RunEnd, { status: "failed" }>, "cause" | "error">;

/** Why a run ends with a model call that came to nothing. */
const CAUSES: Record<ModelFailureKind, Failure["cause"]> = {
  unknown_model: "model",
  no_key: "key",
  refused: "provider",
  too_long: "context",
  quota: "quota",
  budget: "budget",
  busy: "provider",
  broken: "provider",
  unreachable: "network",
  timeout: "provider",
  // Of a run that has not ended, calls are cancelled only when its process leaves it.
  cancelled: "internal",
};

type TimedOutcome = ToolOutcome & { ms?: number };

/** One agent at work: asks the model, carries out what it decides, until it ends its turn or a limit ends it. */
export async function runAgent(context: AgentContext, ports: AgentPorts): Promise<RunEnd> {
  const { transcript } = context;
  const take = (decided: JournalEntry): Promise<void> => {
    const entry = ports.redact(decided);
    transcript.add(entry);
    return ports.journal(entry);
  };
  const work = { ...context, ports, take };
  try {
    await settleInterrupted(work);
    for (;;) {
      for (const message of ports.takeMessages()) await take(message);
      const end = await endOfTurn(work);
      if (end !== undefined) return end;
      const limit = limitReached(work);
      if (limit !== undefined) return failed(work, limit);
      await takeTurn(work);
    }
  } catch (error) {
    return interrupted(work, error);
  }
}

async function takeTurn(work: Work): Promise<void> {
  const { transcript, ports } = work;
  await compact(work, { isForced: false });
  ports.onActivity({ kind: "thinking" }, transcript.turns + 1);
  const answer = await askOnceMoreWhenTooLong(work);
  const durable = work.take(answerEntry(answer, ports.clock()));
  // The decision must be on disk before anything comes of it; whoever only looks may look meanwhile.
  if (!answer.calls.every((call) => isLooking(call, ports.tools))) await durable;
  const slowdown = slowdownOf(transcript.repeats, work.limits.repeats);
  if (slowdown > 0) await ports.pause(slowdown, ports.signal);
  await carryOut(answer.calls, { ...work, isCut: answer.finish === "length" });
}

/** How the run ends with the model's last word; undefined when there is more to do. */
async function endOfTurn(work: Work): Promise<RunEnd | undefined> {
  const { transcript, take } = work;
  const word = transcript.lastWord;
  if (word === undefined) return undefined;
  if (word.finish === "refused")
    return failed(work, { cause: "refused", error: `The model refused to continue. ${word.text}`.trim() });
  if (word.finish === "length" && transcript.report === undefined) {
    if (transcript.cutInARow >= MOST_CUT)
      return failed(work, { cause: "length", error: "The model's answers were cut off repeatedly." });
    await take({ type: "message", from: "hall", text: GO_ON, id: `go-on-${transcript.turns}` });
    return undefined;
  }
  return isEmpty(word, transcript)
    ? failed(work, { cause: "silent", error: "The model returned an empty answer." })
    : { status: "completed", result: resultOf(transcript) };
}

function isEmpty(word: Answer, { said, turns, report }: Transcript): boolean {
  return word.text.trim() === "" && said === "" && turns === 1 && report === undefined;
}

function answerEntry(answer: ModelAnswer, at: Date): JournalEntry {
  const { text, thinking, calls, finish, rehearsed, model, usage, costUsd } = answer;
  return {
    type: "answer",
    text,
    ...(thinking.length === 0 ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { calls }),
    finish,
    ...(rehearsed === undefined ? {} : { rehearsed }),
    model,
    usage,
    costUsd,
    at: at.toISOString(),
  };
}

/** Nothing is left behind by such a call, whether anybody remembers it or not. */
function isLooking({ name }: ToolCall, tools: readonly Tool[]): boolean {
  const tool = tools.find((candidate) => candidate.spec.name === name);
  return tool === undefined || (!tool.changes && tool.repeatable !== true);
}

/** Calls that change nothing run beside each other; those that do wait for everything before them. Results keep their order. */
async function carryOut(calls: readonly ToolCall[], work: Work): Promise<void> {
  const warning = warningOf(work.transcript.repeats, work.limits.repeats);
  let reading: Promise<[ToolCall, TimedOutcome]>[] = [];
  const finish = async () => {
    for (const [call, outcome] of await Promise.all(reading))
      void work.take(resultEntry(call, { ...outcome, output: outcome.output + warning }));
    reading = [];
  };
  for (const call of calls) {
    const changes = work.ports.tools.find((tool) => tool.spec.name === call.name)?.changes ?? false;
    if (changes) await finish();
    reading.push(perform(call, work).then((outcome) => [call, outcome]));
    if (changes) await finish();
  }
  await finish();
}

async function perform(call: ToolCall, { who, transcript, ports, isCut }: Work): Promise<TimedOutcome> {
  if (isCut === true && !isWhole(call)) return { output: CUT_CALL, failed: true };
  const tool = ports.tools.find((candidate) => candidate.spec.name === call.name);
  if (tool === undefined) {
    const allowed = ports.tools.map((candidate) => candidate.spec.name).join(", ");
    const output = `There is no tool '${call.name}' for ${who}. The tools are: ${allowed}.`;
    return { output, failed: true };
  }
  ports.onActivity(callActivity(call.name, call.input), transcript.turns);
  return ports.withToolSlot(async () => {
    ports.signal.throwIfAborted();
    const from = ports.uptime();
    const outcome = await tool.run(call.input, { callId: call.id, signal: ports.signal });
    return { ...outcome, ms: Math.round(ports.uptime() - from) };
  });
}

function isWhole({ input }: ToolCall): boolean {
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
}

function resultEntry(call: ToolCall, outcome: TimedOutcome): JournalEntry {
  const { output, ms, failed: isFailed, files, untrusted, stopped } = outcome;
  return {
    type: "result",
    id: call.id,
    name: call.name,
    output,
    ...(ms === undefined ? {} : { ms }),
    ...(isFailed ? { failed: true } : {}),
    ...(files === undefined ? {} : { files }),
    ...(untrusted === undefined ? {} : { untrusted }),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/**
 * After a crash: what can safely be asked again is asked again, everything else is told to the model as unknown. After a wait:
 * the call that is answered by now, and those behind it, are carried out.
 */
async function settleInterrupted(work: Work): Promise<void> {
  const { ports, transcript, take } = work;
  const isRepeatable = (call: ToolCall) =>
    ports.tools.find((tool) => tool.spec.name === call.name)?.repeatable === true;
  const all = transcript.openCalls;
  const parked = all.findIndex(({ id }) => id === work.parkedAt);
  const [open, untouched] = parked === -1 ? [all, []] : [all.slice(0, parked), all.slice(parked)];
  for (const call of open.filter((candidate) => !isRepeatable(candidate)))
    await take(resultEntry(call, { output: UNKNOWN_OUTCOME, failed: true }));
  await carryOut([...open.filter(isRepeatable), ...untouched], work);
}

async function compact(work: Work, how: { isForced: boolean }): Promise<void> {
  const { contextWindow, transcript, ports, take } = work;
  const through = compactionOf(transcript, { window: contextWindow, ...how });
  if (through === undefined) return;
  ports.onActivity({ kind: "summarizing" }, transcript.turns);
  const text = summaryPrompt(transcript.messagesThrough(through), contextWindow);
  const answer = await ports
    .ask({ messages: [{ role: "user", text }], tools: [], aside: true })
    .catch((error: unknown) => summaryWithout(work, error));
  const { model, usage, costUsd } = answer;
  await take({ type: "summary", text: answer.text, through, model, usage, costUsd, at: ports.clock().toISOString() });
}

/** The run must not end because its own past could not be told in short. */
function summaryWithout({ model, transcript, ports }: Work, error: unknown) {
  if (ports.signal.aborted || (error instanceof ModelFailure && error.kind === "cancelled")) throw error;
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { text: bareSummary(transcript, error), model, usage, costUsd: 0 };
}

async function askOnceMoreWhenTooLong(work: Work): Promise<ModelAnswer> {
  const { transcript, ports } = work;
  const ask = () => ports.ask({ messages: transcript.messages, tools: ports.tools.map((tool) => tool.spec) });
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ModelFailure && error.kind === "too_long")) throw error;
    await compact(work, { isForced: true });
    return ask();
  }
}

function limitReached({ what, limits, transcript }: Work): Failure | undefined {
  const { turns, tokens, repeats } = limits;
  if (transcript.turns >= turns) return { cause: "turns", error: `${what} used all of its ${turns} turns.` };
  if (tokens !== undefined && transcript.tokens >= tokens)
    return { cause: "tokens", error: `${what} exceeded its limit of ${tokens} tokens (used ${transcript.tokens}).` };
  return transcript.repeats >= repeats
    ? { cause: "repeats", error: `${what} repeated the same call ${repeats} times in a row.` }
    : undefined;
}

function resultOf({ report, said, filesChanged }: Transcript) {
  const output = report?.summary ?? said;
  if (report === undefined) return { output, artifacts: [], filesChanged };
  if (!("verdict" in report)) {
    const { outcome, artifacts, answers } = report;
    return { output, outcome, artifacts, filesChanged, ...(answers.length === 0 ? {} : { answers }) };
  }
  const { verdict, findings } = report;
  return { output, artifacts: [], filesChanged, review: { verdict, findings } };
}

/** Work that was handed in is done, whatever becomes of the words that should have followed. */
function failed({ transcript }: Work, failure: Failure): RunEnd {
  const result = resultOf(transcript);
  const isSubmitted = transcript.report !== undefined && transcript.openCalls.length === 0;
  return isSubmitted ? { status: "completed", result } : { status: "failed", ...failure, result };
}

function interrupted(work: Work, error: unknown): RunEnd {
  const { signal } = work.ports;
  if (!signal.aborted) return failed(work, failureOf(error));
  const reason: unknown = signal.reason;
  const message = errorText(reason);
  if (reason instanceof Error && reason.name === "TimeoutError") return failed(work, { cause: "time", error: message });
  return { status: "cancelled", cause: "cancelled", error: message, result: resultOf(work.transcript) };
}

function failureOf(error: unknown): Failure {
  if (error instanceof ModelFailure) return { cause: CAUSES[error.kind], error: error.message };
  return { cause: "internal", error: errorText(error) };
}
