import { type ChannelAddress, ChannelMessage } from "../../contract/documents/channel.ts";
import { Receipt, Receiver } from "../../contract/documents/channel-line.ts";
import type { TurnOutcome } from "../../contract/runs/session.ts";
import type { Files } from "../../store/files/files.ts";
import { durableLines, type ReadLine } from "../../store/logs/durable-line.ts";
import type { LogValue } from "../../store/logs/log-reader.ts";

/** Messages that are kept in memory, for those who ask what was said lately, and the bytes they may take. */
const KEPT = 300;
const KEPT_CHARACTERS = 2_000_000;

const messageLines = durableLines(ChannelMessage);
const receiptLines = durableLines(Receipt);

/** Reads the lines of a channel's file. */
export interface ChannelReader {
  message: ReadLine<ChannelMessage>;
  receipt: ReadLine<Receipt>;
}

export function channelReader(files: Files, path: string): ChannelReader {
  return { message: messageLines(files, path), receipt: receiptLines(files, path) };
}

/** What is known of a channel without its file. */
export interface ChannelState {
  lastSeq: number;
  /** The last ones, the newest last, and all that is open. */
  recent: ChannelMessage[];
  /** Whether nothing was said before them. */
  isWhole: boolean;
  received: Map<Receiver, number>;
  /** The last message to each. */
  lastTo: Map<Receiver, number>;
  settled: number;
  /** How the newest turn of each ended. */
  ended: Map<Receiver, { seq: number; outcome: TurnOutcome }>;
}

export function emptyState(isWhole: boolean): ChannelState {
  return { lastSeq: 0, recent: [], isWhole, received: new Map(), lastTo: new Map(), settled: 0, ended: new Map() };
}

/** Who deals with messages of a channel. What the CLI and HTTP show a person has arrived when it is written. */
function receiversIn({ type }: ChannelAddress): Receiver[] {
  if (type === "project") return ["main", "project"];
  return type === "telegram" ? ["main", "person"] : ["main"];
}

/** Takes a line into account. A broken one is passed over. */
export function take(state: ChannelState, value: LogValue, read: ChannelReader): void {
  if ("received" in value) {
    const receipt = read.receipt(value);
    if (receipt !== undefined) takeReceipt(state, receipt);
    return;
  }
  const message = read.message(value);
  if (message !== undefined) takeMessage(state, message);
}

export function takeMessage(state: ChannelState, message: ChannelMessage): void {
  const { seq, to } = message;
  // Numbers only grow: what was copied in twice is passed over.
  if (seq <= state.lastSeq) return;
  if (state.recent.length === 0)
    for (const [by, received] of state.received) state.received.set(by, Math.min(received, seq - 1));
  state.lastSeq = seq;
  state.recent.push(message);
  if (isReceiver(to)) state.lastTo.set(to, seq);
}

/** Nobody has dealt with what was not said yet, whatever stands there. */
export function takeReceipt(
  state: ChannelState,
  receipt: Pick<Receipt, "received" | "by" | "settled" | "outcome">,
): void {
  const { by, settled = 0, outcome } = receipt;
  if (outcome !== undefined) state.ended.set(by, { seq: receipt.received, outcome });
  const most = state.recent.length === 0 ? Number.MAX_SAFE_INTEGER : state.lastSeq;
  state.received.set(by, Math.max(Math.min(receipt.received, most), state.received.get(by) ?? 0));
  state.settled = Math.max(Math.min(settled, receipt.received), state.settled);
}

/** What a receiver still has to deal with, the oldest first. */
export function openTo({ recent, received, lastTo }: ChannelState, by: Receiver): ChannelMessage[] {
  const done = received.get(by) ?? 0;
  if ((lastTo.get(by) ?? 0) <= done) return [];
  return recent.filter(({ to, seq }) => to === by && seq > done);
}

/** Up to where nobody has anything left to deal with. */
export function settledIn(state: ChannelState, address: ChannelAddress): number {
  const { recent, received, lastTo, lastSeq } = state;
  const firsts = receiversIn(address).flatMap((by) => {
    const done = received.get(by) ?? 0;
    if ((lastTo.get(by) ?? 0) <= done) return [];
    return recent.find(({ to, seq }) => to === by && seq > done)?.seq ?? [];
  });
  return Math.min(lastSeq, ...firsts.map((seq) => seq - 1));
}

/** Whether everything that may be open to anybody lies within what was read. */
export function isCovered(state: ChannelState, address: ChannelAddress): boolean {
  const first = state.recent[0]?.seq ?? 0;
  return receiversIn(address).every((by) => Math.max(state.received.get(by) ?? 0, state.settled) + 1 >= first);
}

/** Lets go of older messages. Whatever is open stays, however much came after it. */
export function trim(state: ChannelState, address: ChannelAddress): void {
  const { recent } = state;
  const characters = recent.reduce((sum, { text }) => sum + text.length, 0);
  if (recent.length <= 2 * KEPT && characters <= KEPT_CHARACTERS) return;
  const settled = settledIn(state, address);
  let cut = 0;
  for (let left = characters; cut < recent.length - 1; cut++) {
    const message = recent[cut];
    if (message === undefined || message.seq > settled) break;
    if (recent.length - cut <= KEPT && left <= KEPT_CHARACTERS / 2) break;
    left -= message.text.length;
  }
  if (cut === 0) return;
  recent.splice(0, cut);
  state.isWhole = false;
}

function isReceiver(by: string): by is Receiver {
  return by in Receiver.enum;
}

/** The number of a line as we write them, without reading all of it. */
export function seqOf(line: string): number | undefined {
  const found = /^\{"seq":(\d+),/.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The id of a line that may be a message, without reading all of it. */
export function idIn(line: string, read: ChannelReader): string | undefined {
  const found = /"id":\s*"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return found?.includes("\\") === true ? read.message(line)?.id : found;
}
