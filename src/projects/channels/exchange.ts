import { createHash } from "node:crypto";
import type { ChannelAddress, ChannelMessage, Speaker, TurnStep } from "../../contract/documents/channel.ts";
import type { Receiver } from "../../contract/documents/channel-line.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import type { TurnOutcome } from "../../contract/runs/session.ts";
import { shownActivity } from "../../contract/words/activity-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { NewMessage } from "./channel-file.ts";
import { type Channels, keyOf } from "./channels.ts";

/** Messages of agents in a row, without a word of the person in between, before nobody answers any more. */
export const MOST_HOPS = 12;
/** Messages of agents to agents that come of one message of the person before nobody is woken by another. */
export const MOST_OF_ROOT = 60;
/** An answer that is longer is cut. */
const LONGEST_TEXT = 400_000;
const LONGEST_SHOWN = 2_000;

/** Somebody who deals with messages: the main agent, the agents of the projects, or whoever brings them to the person. */
export interface Party {
  /** There may be something new for it in a channel. Must not throw. */
  look(address: ChannelAddress): void;
}

interface Parts {
  channels: Channels;
  /** Hides the secrets of a project, or those of the hall; those that there are now where something begins with it. */
  redact: (text: string, projectId: string | undefined, how: { fresh: boolean }) => string;
  /** Whether the agent of a project's channel listens; that of any other always does. */
  isListening: (address: ChannelAddress) => boolean;
}

/** What came of a message; `text`: what the agent said, whoever hears it. */
export interface TurnEnd {
  id: string;
  outcome: TurnOutcome;
  text?: string;
  error?: string;
}

/** What an agent is at in a channel. */
export interface Doing {
  messageId: string;
  activity: Activity;
}

/**
 * Takes what is said to whoever it is said to. A message is on disk before anybody is told of it, and stays open until
 * its receiver has dealt with it.
 */
export class Exchange {
  readonly #parts: Parts;
  readonly #parties = new Map<Speaker, Party>();
  readonly #doing = new Map<string, Doing>();
  /** Messages whose answer somebody has stopped, and that are still to be dealt with. */
  readonly #unwanted = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #releases = new Set<() => void>();
  readonly #heeding = new Set<(end: TurnEnd) => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get channels(): Channels {
    return this.#parts.channels;
  }

  attach(who: Receiver, party: Party): void {
    if (this.#parties.has(who)) throw new Error(`There is a party for '${who}' already.`);
    this.#parties.set(who, party);
  }

  /** Durable when it resolves. Saying it again with the same id says it once. */
  async send(address: ChannelAddress, draft: NewMessage): Promise<ChannelMessage> {
    const { message, hand } = await this.leave(address, draft);
    hand();
    return message;
  }

  /** As send, but whoever it is for looks at it only when it is handed over, or when it looks for anything. */
  async leave(address: ChannelAddress, draft: NewMessage): Promise<{ message: ChannelMessage; hand: () => void }> {
    const projectId = address.type === "project" ? address.id : undefined;
    const redact = (text: string) => this.#parts.redact(text, projectId, { fresh: draft.to === "project" });
    const text = shortened(redact(draft.text));
    const steps = draft.steps && { steps: draft.steps.map((step) => redactedStep(step, redact)) };
    const isTooMuch = isOfAgents(draft) && draft.root !== undefined && this.isSpent(draft.root);
    const { message } = await this.channels.say(address, {
      ...draft,
      text,
      ...steps,
      ...(isTooMuch ? { quiet: true } : {}),
    });
    if (isTooMuch || isPastTheEnd(draft)) await this.tellEnough(draft.root);
    return { message, hand: () => this.#parties.get(message.to)?.look(address) };
  }

  /** Nobody wants answers to these any more, under way or still to begin: writing that down takes a while. */
  giveUp(address: ChannelAddress, ids: readonly string[]): void {
    for (const id of ids) this.#unwanted.add(`${keyOf(address)} ${id}`);
  }

  /** Whether the answer to a message is still to be given. */
  isWanted(address: ChannelAddress, by: Receiver, messageId: string): boolean {
    const isOpen = this.channels
      .of(address)
      .open(by)
      .some(({ id }) => id === messageId);
    return isOpen && !this.#isGivenUp(address, messageId);
  }

  /** An answer that was not begun because nobody wanted it was stopped. */
  outcomeOf(address: ChannelAddress, messageId: string, outcome: TurnOutcome): TurnOutcome {
    return outcome === "failed" && this.#isGivenUp(address, messageId) ? "stopped" : outcome;
  }

  #isGivenUp(address: ChannelAddress, messageId: string): boolean {
    return this.#unwanted.has(`${keyOf(address)} ${messageId}`);
  }

  /**
   * What came of an answer, if anything is to be said, and that the message was dealt with. Told again, it does nothing.
   * Rejects while one before it is not dealt with, whose answer would be lost: whoever has it brings both again.
   */
  async dealtWith(
    of: { address: ChannelAddress; by: Receiver; message: ChannelMessage },
    end: { outcome: TurnOutcome; error?: string | undefined; answer?: NewMessage | undefined; text?: string },
  ): Promise<void> {
    const { address, by, message } = of;
    const open = this.channels.of(address).open(by);
    if (!open.some(({ id }) => id === message.id)) {
      if (this.doing(address)?.messageId === message.id) this.does(address, undefined);
      return;
    }
    if (open[0]?.id !== message.id) throw new Error(`Message '${open[0]?.id}' comes before '${message.id}'.`);
    const isHeard = end.outcome === "stopped" || !this.#isGivenUp(address, message.id);
    const { answer = this.#silence(of, end.outcome) } = end;
    if (answer !== undefined && isHeard) await this.send(address, answer);
    await this.channels.of(address).received(by, message, end.outcome);
    this.#unwanted.delete(`${keyOf(address)} ${message.id}`);
    this.does(address, undefined);
    const { outcome } = end;
    const error = end.error === undefined ? undefined : this.#shown(address, end.error);
    this.channels.tell(address, {
      kind: "ended",
      messageId: message.id,
      outcome,
      ...(error === undefined ? {} : { error }),
    });
    const said = end.text === undefined ? undefined : this.#shown(address, end.text);
    const ended: TurnEnd = {
      ...{ id: message.id, outcome },
      ...(said === undefined ? {} : { text: said }),
      ...(error === undefined ? {} : { error }),
    };
    for (const heed of this.#heeding) heed(ended);
    this.#tellSettled(message.root ?? message.id);
  }

  /** Hears what came of every message. The listener must not throw. */
  heed(listener: (end: TurnEnd) => void): () => void {
    this.#heeding.add(listener);
    return () => this.#heeding.delete(listener);
  }

  /** Undefined: nobody is at work there any more. */
  does(address: ChannelAddress, doing: Doing | undefined): void {
    const key = keyOf(address);
    const before = this.#doing.get(key);
    if (doing === undefined) {
      this.#doing.delete(key);
      return;
    }
    const { messageId } = doing;
    const activity = shownActivity(doing.activity, (text) => this.#shown(address, text));
    this.#doing.set(key, { messageId, activity });
    if (before?.messageId !== messageId) this.channels.tell(address, { kind: "begun", messageId });
    this.channels.tell(address, { kind: "activity", messageId, activity });
  }

  doing(address: ChannelAddress): Doing | undefined {
    return this.#doing.get(keyOf(address));
  }

  /** Whether so much came of a message of the person that nobody is woken for more. */
  isSpent(root: string): boolean {
    const count = this.channels
      .loaded()
      .reduce((sum, file) => sum + file.count((said) => said.root === root && isOfAgents(said)), 0);
    return count >= MOST_OF_ROOT;
  }

  /** Where the person said what something came of; undefined when nobody knows, or somebody else began it. */
  begunIn(root: string | undefined): ChannelAddress | undefined {
    const isIt = ({ id, from }: ChannelMessage) => id === root && from === "person";
    return root === undefined ? undefined : this.channels.loaded().find((file) => file.count(isIt) > 0)?.address;
  }

  /** The person who began it learns, once, that agents go on no further by themselves. */
  async tellEnough(root: string | undefined): Promise<void> {
    const address = this.begunIn(root);
    if (address === undefined || root === undefined) return;
    const text =
      "Your agents exchanged many messages about this and are now waiting. Send a message to let them continue.";
    await this.channels.say(address, { id: idOf("enough", root), from: "hall", to: "person", text, root });
  }

  /** What a receiver was to deal with stays as it is: it does not listen for now, and says why. */
  hold(address: ChannelAddress, by: Receiver, reason: string): void {
    for (const { id: messageId, root, quiet } of this.channels.of(address).open(by)) {
      if (quiet === true) continue;
      this.channels.tell(address, { kind: "ended", messageId, outcome: "held", error: reason });
      this.#tellSettled(root ?? messageId);
    }
  }

  /** As those who watch see it. */
  #shown(address: ChannelAddress, text: string): string {
    const projectId = address.type === "project" ? address.id : undefined;
    // A secret that is cut in the middle would not be known any more.
    const shown = this.#parts.redact(text.slice(0, 10 * LONGEST_SHOWN), projectId, { fresh: false });
    return shown.slice(0, LONGEST_SHOWN);
  }

  /** Whether somebody is still at work on what came of a message, one message set aside. */
  isOpen(root: string, except?: string): boolean {
    const { isListening } = this.#parts;
    const isOfIt = ({ id, root: from, quiet }: ChannelMessage) =>
      quiet !== true && (from ?? id) === root && id !== except;
    return this.channels.loaded().some((file) => {
      const open = isListening(file.address) ? [...file.open("main"), ...file.open("project")] : file.open("main");
      return open.some(isOfIt);
    });
  }

  /** Resolves when nobody has, or the time is up, or the hall stops. */
  async untilSettled(root: string, seconds: number): Promise<void> {
    if (seconds === 0 || !this.isOpen(root)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (!this.isOpen(root)) resolve();
    };
    const timer = setTimeout(resolve, seconds * 1_000);
    this.#waiting.add(look);
    const release = () => resolve();
    this.#releases.add(release);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(look);
    this.#releases.delete(release);
  }

  /** Nobody is kept waiting by a hall that stops. */
  stopWaiting(): void {
    for (const release of this.#releases) release();
  }

  /** Whoever asked and hears nothing, although nobody is at work any more, is told so. */
  #silence({ address, message }: { address: ChannelAddress; message: ChannelMessage }, outcome: TurnOutcome) {
    const root = message.root ?? message.id;
    if (outcome !== "answered" || message.from !== "person" || this.isOpen(root, message.id)) return undefined;
    const isHeard = this.channels.of(address).page({ after: message.seq, limit: 500 });
    if (isHeard.some((said) => said.to === "person" && said.root === root)) return undefined;
    const common = { id: idOf("answer", message.id), inReplyTo: message.id, ...following(message) };
    return {
      ...common,
      from: "hall" as const,
      to: "person" as const,
      text: "The agent ended its turn without an answer.",
    };
  }

  #tellSettled(root: string): void {
    for (const look of this.#waiting) look();
    if (this.isOpen(root)) return;
    for (const { address } of this.channels.loaded()) this.channels.tell(address, { kind: "settled", root });
  }
}

/** The id of something that comes of something else: doing it again gives the same, and it stays short. */
export function idOf(kind: string, ...from: readonly string[]): string {
  return `${kind}-${createHash("sha256").update(JSON.stringify(from)).digest("hex").slice(0, 24)}`;
}

/** Whether an agent is woken by it, and no person has said it. */
function isOfAgents({ from, to, quiet }: Pick<ChannelMessage, "from" | "to" | "quiet">): boolean {
  return from !== "person" && (to === "main" || to === "project") && quiet !== true;
}

/** So far from the person's word that nobody answers it. */
function isPastTheEnd({ from, to, hops = 0 }: Pick<ChannelMessage, "from" | "to" | "hops">): boolean {
  return from !== "person" && to !== "person" && hops > MOST_HOPS;
}

function shortened(text: string): string {
  return cutText(text, LONGEST_TEXT, (rest) => `\n(cut here: ${rest} more characters)`);
}

/** Whether one more message may come of it. */
export function mayGoOn({ hops = 0 }: { hops?: number | undefined }): boolean {
  return hops + 1 <= MOST_HOPS;
}

/** What a message that comes of another has of it. */
export function following({
  id,
  root,
  hops = 0,
  ask,
}: {
  id: string;
  root?: string | undefined;
  hops?: number | undefined;
  ask?: string[] | undefined;
}) {
  return { root: root ?? id, hops: hops + 1, ...(ask === undefined ? {} : { ask }) };
}

function redactedStep(step: TurnStep, redact: (text: string) => string): TurnStep {
  return step.is === "said" ? { ...step, text: redact(step.text) } : { ...step, about: redact(step.about) };
}
