import type { ChannelAddress, ChannelMessage } from "../../contract/documents/channel.ts";
import type { Receipt, Receiver } from "../../contract/documents/channel-line.ts";
import { HallError } from "../../contract/errors.ts";
import type { TurnOutcome } from "../../contract/runs/session.ts";
import type { Files } from "../../store/files/files.ts";
import { lineText } from "../../store/logs/durable-line.ts";
import { parseLine, readTail } from "../../store/logs/log-reader.ts";
import { projectRoot } from "../../workspace/layout.ts";
import { IdSieve } from "../id-sieve.ts";
import {
  type ChannelReader,
  type ChannelState,
  channelReader,
  emptyState,
  idIn,
  isCovered,
  openTo,
  seqOf,
  settledIn,
  take,
  takeMessage,
  takeReceipt,
  trim,
} from "./channel-lines.ts";

const FIRST_LOOK = 400;
const EVERYTHING = { after: 0, before: Number.POSITIVE_INFINITY };

export type NewMessage = Omit<ChannelMessage, "seq" | "at">;

/** What was said with a project lies in its folder, and goes where that goes. */
export function channelPath({ type, id }: ChannelAddress): string {
  return type === "project" ? `${projectRoot(id)}/channel.jsonl` : `channels/${type}/${id}.jsonl`;
}

/**
 * What was said in one channel, and how far it was dealt with. Each receiver deals with its messages in order, so that
 * one receipt stands for everything before it.
 */
export class ChannelFile {
  readonly address: ChannelAddress;
  readonly #files: Files;
  readonly #clock: () => Date;
  #state: ChannelState | undefined;
  /** The ids of a channel that is not in memory as a whole. */
  #sieve: IdSieve | undefined;
  #writers = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(address: ChannelAddress, { files, clock }: { files: Files; clock: () => Date }) {
    this.address = address;
    this.#files = files;
    this.#clock = clock;
  }

  get lastSeq(): number {
    return this.#loaded().lastSeq;
  }

  get lastAt(): string | undefined {
    return this.#loaded().recent.at(-1)?.at;
  }

  /**
   * Durable when it resolves. What was said before with the same id is answered as it stands, and not said again. What the hall says
   * carries on what needs consent, until the person or the main agent says something else.
   */
  add(draft: NewMessage): Promise<{ message: ChannelMessage; isNew: boolean }> {
    return this.#inTurn(async () => {
      const known = this.find(draft.id);
      if (known !== undefined) return { message: known, isNew: false };
      const state = this.#loaded();
      const ask = carriedAsk(draft, state.recent);
      const message: ChannelMessage = {
        ...{ seq: state.lastSeq + 1, at: this.#clock().toISOString(), ...draft },
        ...(ask.length === 0 ? {} : { ask }),
      };
      await this.#write(lineText(message));
      takeMessage(state, message);
      this.#sieve?.put(message.id);
      trim(state, this.address);
      return { message, isNew: true };
    });
  }

  /** Durable when it resolves. */
  received(by: Receiver, message: ChannelMessage, outcome?: TurnOutcome): Promise<void> {
    return this.#inTurn(async () => {
      const state = this.#loaded();
      if (message.seq <= (state.received.get(by) ?? 0)) return;
      const received = new Map(state.received).set(by, message.seq);
      const settled = settledIn({ ...state, received }, this.address);
      const receipt: Receipt = { received: message.seq, by, outcome, settled, at: this.#clock().toISOString() };
      await this.#write(lineText(receipt));
      takeReceipt(state, receipt);
      trim(state, this.address);
    });
  }

  /** What a receiver still has to deal with, the oldest first. */
  open(to: Receiver): ChannelMessage[] {
    return openTo(this.#loaded(), to);
  }

  /** How a receiver's turn about a message ended; undefined: not known, or not over. */
  outcomeOf(id: string, by: Receiver): TurnOutcome | undefined {
    const seq = this.find(id)?.seq;
    const ended = this.#loaded().ended.get(by);
    return seq !== undefined && ended?.seq === seq ? ended.outcome : undefined;
  }

  /** Whether anything of it is in memory; otherwise nothing in it is open, or nobody has looked yet. */
  get isLoaded(): boolean {
    return this.#state !== undefined;
  }

  /** Keeps nothing of it in memory until somebody asks, unless something is open or being written. */
  release(): boolean {
    const isOpen = this.#state !== undefined && settledIn(this.#state, this.address) < this.#state.lastSeq;
    if (isOpen || this.#writers > 0) return false;
    this.#state = undefined;
    this.#sieve = undefined;
    return true;
  }

  /** Among those that are kept in memory, and so all that are open. */
  count(isCounted: (message: ChannelMessage) => boolean): number {
    return this.#loaded().recent.filter(isCounted).length;
  }

  find(id: string): ChannelMessage | undefined {
    const state = this.#loaded();
    const recent = state.recent.findLast((message) => message.id === id);
    if (recent !== undefined || state.isWhole) return recent;
    this.#sieve ??= this.#sieveAll();
    if (!this.#sieve.mayHave(id)) return undefined;
    let found: ChannelMessage | undefined;
    this.#scan((message) => {
      if (message.id === id) found = message;
      return found === undefined;
    });
    return found;
  }

  /** After a number: the oldest of them; before one, or without any: the newest. Always the oldest first. */
  page({ after, before, limit }: { after?: number | undefined; before?: number | undefined; limit: number }) {
    const state = this.#loaded();
    const first = state.recent[0]?.seq ?? state.lastSeq + 1;
    const range = { after: after ?? 0, before: before ?? Number.POSITIVE_INFINITY };
    const recent = state.recent.filter(({ seq }) => seq > range.after && seq < range.before);
    if (state.isWhole || (after === undefined ? recent.length >= limit : after + 1 >= first))
      return after === undefined ? recent.slice(-limit) : recent.slice(0, limit);
    const wanted: ChannelMessage[] = [];
    this.#scan((message) => {
      if (message.seq <= (wanted.at(-1)?.seq ?? 0)) return true;
      wanted.push(message);
      if (after === undefined && wanted.length > limit) wanted.shift();
      return after === undefined || wanted.length < limit;
    }, range);
    return wanted;
  }

  #loaded(): ChannelState {
    this.#state ??= this.#load();
    return this.#state;
  }

  /** From the end, as far back as something may be open. */
  #load(): ChannelState {
    const path = this.#ownPath();
    if (!this.#files.exists(path)) return emptyState(true);
    const tail = readTail(`${this.#files.root}/${path}`, FIRST_LOOK);
    const state = emptyState(tail.isWhole);
    const read = this.#reader();
    for (const value of tail.values) take(state, value, read);
    if (!tail.isWhole && !isCovered(state, this.address)) return this.#loadAll();
    trim(state, this.address);
    return state;
  }

  /** In the memory that what is open takes, however long it is. */
  #loadAll(): ChannelState {
    const state = emptyState(true);
    const read = this.#reader();
    let count = 0;
    this.#lines((line) => {
      const value = parseLine(Buffer.from(line));
      if (value !== undefined) take(state, value, read);
      if (++count % FIRST_LOOK === 0) trim(state, this.address);
      return true;
    });
    trim(state, this.address);
    return state;
  }

  #sieveAll(): IdSieve {
    const sieve = new IdSieve();
    const read = this.#reader();
    this.#lines((line) => {
      const id = idIn(line, read);
      if (id !== undefined) sieve.put(id);
      return true;
    });
    return sieve;
  }

  /** Until the visitor answers false. Lines whose number is not wanted are not read. */
  #scan(visit: (message: ChannelMessage) => boolean, { after, before } = EVERYTHING): void {
    const read = this.#reader();
    this.#lines((line) => {
      const seq = seqOf(line) ?? before;
      if (seq <= after) return true;
      const message = read.message(line);
      if (message === undefined || message.seq <= after) return true;
      return message.seq < before && visit(message);
    });
  }

  #reader(): ChannelReader {
    return channelReader(this.#files, channelPath(this.address));
  }

  #lines(visit: (line: string) => boolean): void {
    this.#files.scanLog(this.#ownPath(), 0, visit);
  }

  /** Throws where a link or a folder has taken its place: what was said would go elsewhere. */
  #ownPath(): string {
    const path = channelPath(this.address);
    const folder = path.slice(0, path.lastIndexOf("/"));
    const kind = this.#files.exists(folder) ? this.#files.standing(path)?.kind : undefined;
    if (kind !== undefined && kind !== "file")
      throw new HallError("path_refused", `'${path}' is a ${kind}; a channel must be a regular file.`, {
        hint: "Move it elsewhere.",
      });
    return path;
  }

  async #write(line: string): Promise<void> {
    const path = this.#ownPath();
    const isNew = !this.#files.exists(path);
    const folder = path.slice(0, path.lastIndexOf("/"));
    // The folder of a project is not made by what is said to it.
    if (isNew && this.address.type !== "project") await this.#files.ensureFolder(folder);
    const { log } = this.#files.openLogEnd(path, "whole");
    try {
      await log.append(line);
      if (isNew) await this.#files.syncFolder(folder);
    } finally {
      await log.close();
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#writers++;
    const mine = this.#writing.then(work).finally(() => {
      this.#writers--;
    });
    this.#writing = mine.catch(() => undefined);
    return mine;
  }
}

function carriedAsk({ from, to, ask = [] }: NewMessage, recent: readonly ChannelMessage[]): string[] {
  const before = from === "hall" ? recent.findLast((message) => message.to === to)?.ask : undefined;
  return [...new Set([...ask, ...(before ?? [])])];
}
