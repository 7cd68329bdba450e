import type { Firing, Skipped, Trigger } from "../../contract/documents/autonomy/trigger.ts";
import { SKIP_WORDS } from "../../contract/words/autonomy/trigger-words.ts";
import type { TriggerDocument } from "./trigger-files.ts";
import type { HeldFiring, TriggerState } from "./trigger-state.ts";

interface Shown {
  trigger: TriggerDocument;
  state: TriggerState;
  nextAt: number | undefined;
  /** What keeps it from firing although its file is fine, such as a missing secret. */
  problem: string | undefined;
}

export function firingView(firing: HeldFiring, isFirst = true): Firing {
  const { id, at, slot, cause, started, endedAt, outcome, skipped, text } = firing;
  const state = endedAt !== undefined ? "ended" : isFirst ? "running" : "waiting";
  return {
    ...{ id, at, cause, state },
    ...(slot === undefined ? {} : { slot }),
    ...(started === undefined ? {} : { started }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(skipped === undefined && text === undefined ? {} : { text: text ?? SKIP_WORDS[skipped ?? "missed"] }),
  };
}

export function triggerView({ trigger, state, nextAt, problem }: Shown): Trigger {
  const { source: _, path, problem: broken, words, ...file } = trigger;
  const [flight, ...waiting] = state.open;
  const last = state.firings.findLast((one) => one.endedAt !== undefined && one.skipped === undefined);
  const held = state.held?.reason === "project-inactive";
  const standing = broken !== undefined ? "broken" : !trigger.enabled ? "paused" : held ? "held" : "active";
  const reason = broken ?? problem;
  return {
    ...file,
    ...{ file: path, words, state: standing, waiting: waiting.length },
    ...(reason === undefined ? {} : { problem: reason }),
    ...(nextAt === undefined ? {} : { nextAt: new Date(nextAt).toISOString() }),
    why: whyOf({ trigger, state, nextAt, problem }),
    ...(last === undefined ? {} : { last: firingView(last) }),
    ...(flight === undefined ? {} : { inFlight: firingView(flight) }),
    ...(trigger.on.webhook === undefined ? {} : { path: `/hooks/${trigger.name}` }),
  } as Trigger;
}

/** Why it does not fire now, and what it did not fire for last. */
function whyOf({ trigger, state, nextAt, problem }: Shown): string {
  const skip = state.skips.at(-1);
  const last = skip === undefined ? "" : ` ${skippedText(skip)}`;
  return `${nowText({ trigger, state, nextAt, problem })}${last}`;
}

function nowText({ trigger, state, nextAt, problem }: Shown): string {
  if (trigger.problem !== undefined) return `Its file can't be read: ${trigger.problem}.`;
  if (!trigger.enabled) return "It is paused.";
  if (problem !== undefined) return problem;
  if (state.held !== undefined) return "Its project is not active.";
  if (state.open.length > 0) return "Its last firing is not over.";
  if (nextAt !== undefined) return `It fires next at ${new Date(nextAt).toISOString()}.`;
  return trigger.on.cron === undefined && trigger.on.interval === undefined
    ? "It waits for something to happen."
    : "It is about to be looked at.";
}

function skippedText({ reason, count, from, cause, at }: Skipped): string {
  const what =
    from === undefined
      ? `What came at ${at}${cause === undefined ? "" : ` (${cause})`}`
      : count === 1
        ? `The slot ${from}`
        : `${count} slots from ${from}`;
  return `Last skipped: ${what} ${SKIP_WORDS[reason]}.`;
}
