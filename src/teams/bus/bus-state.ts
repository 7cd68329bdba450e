import type { BusLine, MessageDelivery, TeamMessage } from "../../contract/documents/teams/team-message.ts";
import { MESSAGE_LIMITS, TO_ALL } from "../../contract/words/teams/message-words.ts";
import { TEAM_LIMITS } from "../../contract/words/teams/team-words.ts";

type MessageLine = Extract<BusLine, { line: "message" }>;
/** A message to be sent, as its sender gives it. */
export type NewMessage = Pick<TeamMessage, "from" | "to" | "type" | "text" | "task" | "ref" | "state"> & {
  key?: string | undefined;
};

/** A message that is kept; its deliveries change. */
export interface Kept extends TeamMessage {
  key?: string | undefined;
}

/** What the lines of a team's bus say, folded. */
export interface BusState {
  lastSeq: number;
  /** The newest, the oldest first. */
  messages: Kept[];
  byKey: Map<string, Kept>;
  /** Runs that were given messages and are not settled, with the member whose they are. */
  open: Map<string, { member: string; seqs: Set<number> }>;
}

export function emptyBus(): BusState {
  return { lastSeq: 0, messages: [], byKey: new Map(), open: new Map() };
}

/** Changes the state in place: a bus is read once and then kept. */
export function foldLine(state: BusState, line: BusLine): void {
  if (line.line === "message") addMessage(state, line);
  else if (line.line === "given") give(state, line);
  else settle(state, line);
}

function addMessage(state: BusState, { line: _, deliveries = [], ...message }: MessageLine): void {
  // A line that was written twice is one message.
  if (message.seq <= state.lastSeq) return;
  const kept: Kept = { ...message, deliveries: [...deliveries] };
  state.lastSeq = message.seq;
  state.messages.push(kept);
  if (message.key !== undefined) state.byKey.set(message.key, kept);
  if (state.messages.length > TEAM_LIMITS.messages) dropOldest(state);
}

/** One that somebody still has to get stays. There are never so many of those: mailboxes are limited. */
function dropOldest(state: BusState): void {
  const at = state.messages.findIndex((message) => !isOwed(message));
  const [dropped] = state.messages.splice(Math.max(at, 0), 1);
  if (dropped?.key !== undefined) state.byKey.delete(dropped.key);
}

function isOwed({ to, deliveries }: Kept): boolean {
  return to !== TO_ALL && deliveries.length === 0;
}

function give(state: BusState, { at, member, runId, seqs }: Extract<BusLine, { line: "given" }>): void {
  const open = state.open.get(runId) ?? { member, seqs: new Set<number>() };
  state.open.set(runId, open);
  const wanted = new Set(seqs);
  for (const message of state.messages) {
    if (!wanted.has(message.seq) || deliveryTo(message, member) !== undefined) continue;
    message.deliveries.push({ member, runId, at });
    open.seqs.add(message.seq);
  }
}

function settle(state: BusState, { runId, unseen }: Extract<BusLine, { line: "settled" }>): void {
  state.open.delete(runId);
  for (const message of state.messages)
    if (unseen.includes(message.seq))
      message.deliveries = message.deliveries.filter((delivery) => delivery.runId !== runId);
}

function deliveryTo({ deliveries }: Kept, member: string): MessageDelivery | undefined {
  return deliveries.find((one) => one.member === member);
}

/** What a member has to get with its next turn, the oldest first. */
export function pendingFor({ messages }: BusState, member: string): Kept[] {
  const isPending = (message: Kept) => message.from !== member && deliveryTo(message, member) === undefined;
  const toAll = messages.filter((one) => one.to === TO_ALL && isPending(one)).slice(-MESSAGE_LIMITS.earlierToAll);
  // Only a lead has more: it gets the newest.
  const own = messages.filter((one) => one.to === member && isPending(one)).slice(-MESSAGE_LIMITS.mailbox);
  return [...toAll, ...own].toSorted((left, right) => left.seq - right.seq);
}

/** The messages that a run was given and that are not settled. */
export function givenTo({ messages, open }: BusState, runId: string): Kept[] {
  const seqs = open.get(runId)?.seqs;
  return seqs === undefined ? [] : messages.filter(({ seq }) => seqs.has(seq));
}

/** The fewest lines that say the same. */
export function compactLines({ messages, open }: BusState): BusLine[] {
  const isOpen = ({ runId }: MessageDelivery) => open.has(runId);
  const kept = messages.map(({ deliveries, ...message }): BusLine => {
    const certain = deliveries.filter((delivery) => !isOpen(delivery));
    return { line: "message", ...message, ...(certain.length === 0 ? {} : { deliveries: certain }) };
  });
  const given = [...open].map(([runId, { member, seqs }]): BusLine => {
    const at = messages.flatMap(({ deliveries }) => deliveries).find((one) => one.runId === runId)?.at ?? "";
    return { line: "given", at, member, runId, seqs: [...seqs] };
  });
  return [...kept, ...given.filter((line) => line.line === "given" && line.at !== "")];
}
