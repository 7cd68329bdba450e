import type { JournalEntry, RunEnd } from "../contract/runs/journal.ts";
import { type ModelAnswer, ModelFailure, type ModelFailureKind, type ToolCall } from "../contract/runs/model-call.ts";
import { errorText } from "../contract/words/error-text.ts";
import type { LineUse } from "../store/logs/log.ts";
import type { AgentContext, AgentPorts, Work } from "./agent-work.ts";
import { carryOut, isLooking, resultEntry, takeTraces } from "./carry-out.ts";
import { bareSummary, compactionOf, summaryPrompt } from "./compaction.ts";
import { slowdownOf } from "./repeats.ts";
import { type Failure, failed, heldBack, resultOf } from "./run-ending.ts";
import { type Answer, SESSION_START, type Transcript } from "./transcript.ts";

const UNKNOWN_OUTCOME =
  "Interrupted, outcome unknown: Guildhall stopped during this call. Treat it as cancelled, and verify before you repeat it.";
const GO_ON = "Your answer reached its length limit. Continue from there, and be brief.";
/** Answers in a row that may be cut off before the run is given up. */
const MOST_CUT = 3;
/** Refused calls in a row before the run is given up. */
const MOST_REFUSED = 12;

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

/** One agent at work: asks the model, carries out what it decides, until it ends its turn or a limit ends it. */
export async function runAgent(context: AgentContext, ports: AgentPorts): Promise<RunEnd> {
  const { transcript } = context;
  const take = (decided: JournalEntry, use?: LineUse): Promise<void> => {
    const entry = ports.redact(decided);
    transcript.add(entry);
    return ports.journal(entry, use);
  };
  const work = { ...context, ports, take };
  try {
    await greet(work);
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
    return await interrupted(work, error);
  }
}

/** What hooks have to say before the first turn. Asked again when a crash came before it was on disk. */
async function greet(work: Work): Promise<void> {
  const { transcript, ports, take } = work;
  const { guard } = ports;
  if (guard?.guards()?.starting === undefined || transcript.turns > 0 || transcript.isGreeted) return;
  const remark = await guard.starting();
  takeTraces(work, remark);
  if (remark.feedback !== undefined)
    await take({ type: "message", from: "hall", text: remark.feedback, id: SESSION_START });
}

async function takeTurn(work: Work): Promise<void> {
  const { transcript, ports } = work;
  await compact(work, { isForced: transcript.isCompactionWanted });
  ports.onActivity({ kind: "thinking" }, transcript.turns + 1);
  const answer = await askOnceMoreWhenTooLong(work);
  // The decision must be on disk before anything comes of it; whoever only looks may look meanwhile.
  const isAwaited = !answer.calls.every((call) => isLooking(call, work));
  const durable = work.take(answerEntry(answer, ports.clock()), { isAwaited });
  if (isAwaited) await durable;
  const slowdown = slowdownOf(transcript.repeats, work.limits.repeats);
  if (slowdown > 0) await ports.pause(slowdown, ports.signal);
  await carryOut(answer.calls, { ...work, isCut: answer.finish === "length" });
}

/** How the run ends with the model's last word; undefined when there is more to do. */
async function endOfTurn(work: Work): Promise<RunEnd | undefined> {
  const { transcript, take } = work;
  // There is nothing left to say: a closing answer would only cost.
  if (transcript.handedIn !== undefined && transcript.openCalls.length === 0)
    return { status: "completed", result: resultOf(transcript) };
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
  if (isEmpty(word, transcript)) return failed(work, { cause: "silent", error: "The model returned an empty answer." });
  if (transcript.refusals.isAll && work.isAnswer !== true)
    return failed(work, { cause: "calls_refused", error: `Hooks refused every call. ${word.text}`.trim() });
  const held = await heldBack(work);
  if (held === "continues") return undefined;
  return held === undefined ? { status: "completed", result: resultOf(transcript) } : failed(work, held);
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

/**
 * After a crash: what can safely be asked again is asked again, everything else is told to the model as unknown. After a wait:
 * the call that is answered by now, and those behind it, are carried out.
 */
async function settleInterrupted(work: Work): Promise<void> {
  const { ports, transcript, take } = work;
  const isRepeatable = ({ id, name }: ToolCall) => {
    const tool = ports.tools.find(({ spec }) => spec.name === name);
    return tool?.repeatable === true && !(tool.unremembered === true && transcript.isAllowed(id));
  };
  const all = transcript.openCalls;
  const parked = all.findIndex(({ id }) => id === work.parkedAt);
  const untouched = parked === -1 ? transcript.untouchedCalls : all.slice(parked);
  const open = all.slice(0, all.length - untouched.length);
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
  if (transcript.refusals.inARow >= MOST_REFUSED)
    return { cause: "calls_refused", error: `Hooks refused ${MOST_REFUSED} calls in a row.` };
  return transcript.repeats >= repeats
    ? { cause: "repeats", error: `${what} repeated the same call ${repeats} times in a row.` }
    : undefined;
}

async function interrupted(work: Work, error: unknown): Promise<RunEnd> {
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
