import { isGuarded, type Permit, type Remark } from "../contract/runs/guarding.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { ToolCall } from "../contract/runs/model-call.ts";
import { callActivity } from "../contract/words/activity-words.ts";
import type { Work } from "./agent-work.ts";
import { warningOf } from "./repeats.ts";
import type { ToolOutcome } from "./tool.ts";

const CUT_CALL =
  "Your answer reached its length limit during this call, so the call was not run. Use smaller pieces: write part of the file, then extend it with edit.";

type TimedOutcome = ToolOutcome & { ms?: number };

/** Nothing is left behind by such a call, whether anybody remembers it or not. */
export function isLooking(call: ToolCall, work: Work): boolean {
  if (isGuardedCall(call, work)) return false;
  const tool = work.ports.tools.find((candidate) => candidate.spec.name === call.name);
  return tool === undefined || (!tool.changes && tool.repeatable !== true);
}

/** Calls that change nothing run beside each other; those that do wait for everything before them. Results keep their order. */
export async function carryOut(calls: readonly ToolCall[], work: Work): Promise<void> {
  const warning = warningOf(work.transcript.repeats, work.limits.repeats);
  let reading: Promise<[ToolCall, TimedOutcome]>[] = [];
  const finish = async () => {
    for (const [call, outcome] of await Promise.all(reading))
      void work.take(resultEntry(call, { ...outcome, output: outcome.output + warning }), {
        isAwaited: !isLooking(call, work),
      });
    reading = [];
  };
  for (const call of calls) {
    const isAlone = isGuardedCall(call, work) || hasEffects(call, work);
    if (isAlone) await finish();
    reading.push(perform(call, work).then((outcome) => [call, outcome]));
    if (isAlone) await finish();
  }
  await finish();
}

function hasEffects({ name }: ToolCall, { ports }: Work): boolean {
  return ports.tools.find((tool) => tool.spec.name === name)?.changes ?? false;
}

function isGuardedCall({ name }: ToolCall, { ports }: Work): boolean {
  return isGuarded(ports.guard?.guards()?.before, name);
}

async function perform(call: ToolCall, work: Work): Promise<TimedOutcome> {
  const { who, transcript, ports, isCut } = work;
  if (isCut === true && !isWhole(call)) return { output: CUT_CALL, failed: true };
  const tool = ports.tools.find((candidate) => candidate.spec.name === call.name);
  if (tool === undefined) {
    const allowed = ports.tools.map((candidate) => candidate.spec.name).join(", ");
    const output = `There is no tool '${call.name}' for ${who}. The tools are: ${allowed}.`;
    return { output, failed: true };
  }
  const refusal = overLimit(call, work);
  if (refusal !== undefined) return { output: refusal, failed: true };
  ports.onActivity(callActivity(call.name, call.input), transcript.turns);
  const permit = await permitFor(call, work);
  if (permit?.allowed === false) return { output: permit.reason, failed: true };
  const outcome = await ports.withToolSlot(async () => {
    ports.signal.throwIfAborted();
    const from = ports.uptime();
    const ended = await tool.run(call.input, {
      callId: call.id,
      signal: ports.signal,
      isGuarded: permit !== undefined,
    });
    return { ...ended, ms: Math.round(ports.uptime() - from) };
  });
  return withRemark(call, withWords(outcome, permit?.remark), work);
}

/** What a run has can be submitted, and a question asked, after its calls are used up. */
function overLimit({ id, name }: ToolCall, { limits, transcript }: Work): string | undefined {
  const most = limits.toolCalls;
  if (most === undefined || transcript.callNumber(id) <= most || /^(?:submit_|escalate$)/.test(name)) return undefined;
  return `tool_calls_used_up: This run made ${most} tool calls, which is the project's limit. The call was not run. End with what you have, and say what is missing.`;
}

/** Undefined when nobody is asked about the call. What is allowed is on disk before it is carried out. */
async function permitFor(call: ToolCall, work: Work): Promise<Permit | undefined> {
  const { guard } = work.ports;
  if (guard === undefined || !isGuardedCall(call, work)) return undefined;
  void work.take({ type: "permit", id: call.id, state: "asked" });
  const permit = await guard.permit(call);
  takeTraces(work, permit, call);
  if (permit.allowed) await work.take({ type: "permit", id: call.id, state: "allowed" });
  return permit;
}

function withWords(outcome: TimedOutcome, words: string | undefined): TimedOutcome {
  return words === undefined ? outcome : { ...outcome, output: `${outcome.output}\n\n${words}` };
}

/** What comes of the call, with what the hall has to say about it. */
async function withRemark(call: ToolCall, outcome: TimedOutcome, work: Work): Promise<TimedOutcome> {
  const { guard } = work.ports;
  if (guard === undefined || !isGuarded(guard.guards()?.after, call.name)) return outcome;
  const remark = await guard.called(call, outcome);
  takeTraces(work, remark, call);
  return withWords(outcome, remark.feedback);
}

export function takeTraces({ take }: Work, { hooks = [] }: Pick<Remark, "hooks">, call?: ToolCall): void {
  for (const trace of hooks) void take({ type: "hook", ...trace, ...(call === undefined ? {} : { callId: call.id }) });
}

function isWhole({ input }: ToolCall): boolean {
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
}

export function resultEntry(call: ToolCall, outcome: TimedOutcome): JournalEntry {
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
