import type { ChannelAddress, ChannelMessage, Speaker } from "../contract/channel.ts";
import { ChannelMessage as MessageSchema } from "../contract/channel.ts";
import type { TurnOutcome } from "../contract/session.ts";
import type { Files } from "../store/files.ts";
import { type LogValue, readTail, scanLog } from "../store/log-reader.ts";
import { projectRoot } from "../workspace/layout.ts";

/** Messages that are kept in memory, for those who ask what was said lately. */
const KEPT = 300;
const FIRST_LOOK = 400;

/** Somebody who deals with messages, one after another. */
export type Receiver = Extract<Speaker, "main" | "project" | "person">;

/** Whoever got a message has dealt with it and with all before it. */
interface Receipt {
  received: number;
  by: Receiver;
  outcome?: TurnOutcome | undefined;
  at: string;
}

export type NewMessage = Omit<ChannelMessage, "seq" | "at">;

interface State {
  lastSeq: number;
  /** The last ones, the newest last. */
  recent: ChannelMessage[];
  isWhole: boolean;
  received: Map<Receiver, number>;
}

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
  #state: State | undefined;
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

  /** Durable when it resolves. What was said before with the same id is answered as it stands, and not said again. */
  add(draft: NewMessage): Promise<{ message: ChannelMessage; isNew: boolean }> {
    return this.#inTurn(async () => {
      const known = this.find(draft.id);
      if (known !== undefined) return { message: known, isNew: false };
      const state = this.#loaded();
      const message: ChannelMessage = { seq: state.lastSeq + 1, at: this.#clock().toISOString(), ...draft };
      await this.#write(JSON.stringify(message));
      state.lastSeq = message.seq;
      state.recent.push(message);
      this.#trim(state);
      return { message, isNew: true };
    });
  }

  /** Durable when it resolves. */
  received(by: Receiver, message: ChannelMessage, outcome?: TurnOutcome): Promise<void> {
    return this.#inTurn(async () => {
      const state = this.#loaded();
      if (message.seq <= (state.received.get(by) ?? 0)) return;
      const receipt: Receipt = { received: message.seq, by, outcome, at: this.#clock().toISOString() };
      await this.#write(JSON.stringify(receipt));
      state.received.set(by, message.seq);
      this.#trim(state);
    });
  }

  /** What a receiver still has to deal with, the oldest first. */
  open(to: Receiver): ChannelMessage[] {
    const state = this.#loaded();
    const done = state.received.get(to) ?? 0;
    return state.recent.filter((message) => message.to === to && message.seq > done);
  }

  /** Among those that are kept in memory, and so all that are open. */
  count(isCounted: (message: ChannelMessage) => boolean): number {
    return this.#loaded().recent.filter(isCounted).length;
  }

  find(id: string): ChannelMessage | undefined {
    const state = this.#loaded();
    const recent = state.recent.findLast((message) => message.id === id);
    if (recent !== undefined || state.isWhole) return recent;
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
    const isRecent =
      state.isWhole || (after !== undefined ? after + 1 >= first : (before ?? state.lastSeq + 1) - limit >= first);
    const isWanted = ({ seq }: ChannelMessage) => seq > (after ?? 0) && seq < (before ?? Number.POSITIVE_INFINITY);
    if (isRecent) {
      const wanted = state.recent.filter(isWanted);
      return after === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
    }
    const wanted: ChannelMessage[] = [];
    this.#scan((message) => {
      if (isWanted(message)) wanted.push(message);
      if (after === undefined && wanted.length > limit) wanted.shift();
      return after === undefined ? message.seq < (before ?? Number.POSITIVE_INFINITY) : wanted.length < limit;
    });
    return wanted;
  }

  #trim(state: State): void {
    if (state.recent.length <= 2 * KEPT) return;
    // Whatever is open stays, however much came after it.
    const firstOpen = Math.min(...this.#firstOpen(state));
    const isDone = state.recent.findIndex(({ seq }) => seq >= firstOpen);
    const cut = Math.min(state.recent.length - KEPT, isDone === -1 ? state.recent.length : isDone);
    if (cut <= 0) return;
    state.recent.splice(0, cut);
    state.isWhole = false;
  }

  #firstOpen({ recent, received }: State): number[] {
    return [
      Number.MAX_SAFE_INTEGER,
      ...receiversIn(this.address).flatMap(
        (by) => recent.find(({ to, seq }) => to === by && seq > (received.get(by) ?? 0))?.seq ?? [],
      ),
    ];
  }

  #loaded(): State {
    this.#state ??= this.#load();
    return this.#state;
  }

  /** From the end, as far back as something may be open. */
  #load(): State {
    const path = channelPath(this.address);
    if (!this.#files.exists(path)) return { lastSeq: 0, recent: [], isWhole: true, received: new Map() };
    const place = `${this.#files.root}/${path}`;
    const tail = readTail(place, FIRST_LOOK);
    const state = stateOf(tail.values, tail.isWhole);
    const isSure = tail.isWhole || receiversIn(this.address).every((by) => isCovered(state, by));
    return isSure ? state : stateOf(readTail(place, Number.POSITIVE_INFINITY).values, true);
  }

  #scan(visit: (message: ChannelMessage) => boolean): void {
    scanLog(`${this.#files.root}/${channelPath(this.address)}`, 0, (text) => {
      const message = messageIn(text);
      return message === undefined || visit(message);
    });
  }

  async #write(line: string): Promise<void> {
    const path = channelPath(this.address);
    const isNew = !this.#files.exists(path);
    const folder = path.slice(0, path.lastIndexOf("/"));
    // The folder of a project is not made by what is said to it.
    if (isNew && this.address.type !== "project") await this.#files.ensureFolder(folder);
    const { log } = this.#files.openLogEnd(path);
    try {
      await log.append(line);
      if (isNew) await this.#files.syncFolder(folder);
    } finally {
      await log.close();
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#writing.then(work);
    this.#writing = mine.catch(() => undefined);
    return mine;
  }
}

/** Whether everything that may be open to somebody lies within what was read. */
function isCovered({ recent, received }: State, by: Receiver): boolean {
  return (received.get(by) ?? 0) + 1 >= (recent[0]?.seq ?? 0);
}

/** Who deals with messages of a channel. What the CLI and HTTP show a person has arrived when it is written. */
function receiversIn({ type }: ChannelAddress): Receiver[] {
  if (type === "project") return ["main", "project"];
  return type === "telegram" ? ["main", "person"] : ["main"];
}

function stateOf(values: readonly LogValue[], isWhole: boolean): State {
  const state: State = { lastSeq: 0, recent: [], isWhole, received: new Map() };
  for (const value of values) {
    const parsed = MessageSchema.safeParse(value);
    // Numbers only grow: what was copied in twice is passed over.
    if (parsed.success && parsed.data.seq > state.lastSeq) {
      state.lastSeq = parsed.data.seq;
      state.recent.push(parsed.data);
    } else if (typeof value.received === "number" && isReceiver(value.by))
      state.received.set(value.by, Math.max(value.received, state.received.get(value.by) ?? 0));
  }
  return state;
}

function isReceiver(by: unknown): by is Receiver {
  return by === "main" || by === "project" || by === "person";
}

function messageIn(text: string): ChannelMessage | undefined {
  try {
    return MessageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
