import type { ErrorCode } from "../../contract/errors.ts";
import {
  FROM_HALL,
  FROM_PERSON,
  MESSAGE_LIMITS,
  MESSAGE_TYPES,
  TO_ALL,
} from "../../contract/words/teams/message-words.ts";
import { type BusState, type Kept, type NewMessage, pendingFor } from "./bus-state.ts";

const WINDOW_MS = MESSAGE_LIMITS.minutes * 60_000;

/** What keeps a message from being sent. */
export interface Refusal {
  code: Extract<ErrorCode, "message_limit" | "message_ping_pong" | "mailbox_full">;
  message: string;
}

export interface Sending {
  message: NewMessage;
  /** Members that may get it. */
  members: readonly string[];
  /** It works at the start and at the end only: what members report meanwhile must not be refused. */
  lead?: string | undefined;
  now: number;
  /** The run that sends it. */
  runId?: string | undefined;
}

/** Why a message is refused, by what was sent before; undefined: it may be sent. Pure. */
export function refusalOf(state: BusState, sending: Sending): Refusal | undefined {
  return floodOf(state, sending) ?? exchangeOf(state, sending) ?? fullOf(state, sending);
}

/** The person and Guildhall are not limited: they only fill mailboxes. */
function isMember(from: string, members: readonly string[]): boolean {
  return from !== FROM_PERSON && from !== FROM_HALL && members.includes(from);
}

function floodOf({ messages }: BusState, { message, members, now, runId }: Sending): Refusal | undefined {
  if (!isMember(message.from, members)) return undefined;
  const { minutes, perMember, perTeam, progress } = MESSAGE_LIMITS;
  const recent = since(messages, now).filter(({ from }) => isMember(from, members));
  const own = recent.filter(({ from }) => from === message.from);
  if (own.length >= perMember)
    return limit(`${message.from} has sent ${own.length} messages in ${minutes} minutes, the most it may`);
  if (recent.length >= perTeam)
    return limit(
      `the members of this team have sent ${recent.length} messages in ${minutes} minutes, the most they may`,
    );
  if (message.type !== MESSAGE_TYPES.progress || runId === undefined) return undefined;
  const told = messages.filter(
    ({ from, type, key }) => from === message.from && type === message.type && key?.startsWith(`${runId}/`),
  );
  return told.length < progress
    ? undefined
    : limit(`this run has reported progress ${told.length} times, the most it may; say the rest in your report`);
}

/** By the clock of the machine: one that was set back must not keep members silent for longer. */
function since(messages: readonly Kept[], now: number): Kept[] {
  return messages.filter(({ at }) => Math.abs(now - Date.parse(at)) < WINDOW_MS);
}

/** Two members that answer each other, without news from either or a word from anyone else to them, go on for ever. */
function exchangeOf({ messages }: BusState, { message, members, now }: Sending): Refusal | undefined {
  const { from, to } = message;
  if (!isMember(from, members) || to === TO_ALL || message.type === MESSAGE_TYPES.stateUpdate) return undefined;
  let expected = to;
  let turns = 0;
  for (const one of since(messages, now).toReversed()) {
    const isBetween = (one.from === from && one.to === to) || (one.from === to && one.to === from);
    if (!isBetween && !concerns(one, [from, to])) continue;
    if (!isBetween || one.type === MESSAGE_TYPES.stateUpdate) break;
    // Two in a row are one turn.
    if (one.from !== expected) continue;
    turns++;
    expected = expected === to ? from : to;
  }
  if (turns < MESSAGE_LIMITS.exchange) return undefined;
  return {
    code: "message_ping_pong",
    message: `${from} and ${to} have answered each other ${turns} times without news. Work on your task, report what is new with a state_update, or end with a report.`,
  };
}

/** A word from outside, or news of one of them, is a reason to talk again. */
function concerns({ from, to, type }: Kept, pair: readonly string[]): boolean {
  if (pair.includes(from)) return type === MESSAGE_TYPES.stateUpdate;
  return pair.includes(to) || to === TO_ALL;
}

function fullOf(state: BusState, { message: { from, to }, members, lead }: Sending): Refusal | undefined {
  const { mailbox } = MESSAGE_LIMITS;
  const receivers = to === TO_ALL ? members.filter((name) => name !== from) : [to];
  const full = receivers.filter((name) => name !== lead && pendingFor(state, name).length >= mailbox);
  if (full.length === 0) return undefined;
  return {
    code: "mailbox_full",
    message: `${full.join(", ")} has ${mailbox} messages to read. Send it when they are read.`,
  };
}

function limit(why: string): Refusal {
  return { code: "message_limit", message: `Not sent: ${why}.` };
}
