import { redactedEntry } from "../../agent/redacted-entry.ts";
import { Resident } from "../../agent/resident.ts";
import type { Brief, ResidentPorts } from "../../agent/resident-ports.ts";
import { MAIN_MANNERS, type PromptPart, promptOf } from "../../agent/resident-prompts.ts";
import { Session } from "../../agent/session.ts";
import type { TurnEnd } from "../../agent/session-tail.ts";
import type { Tool } from "../../agent/tool.ts";
import type { ChannelAddress, ChannelMessage } from "../../contract/documents/channel.ts";
import type { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import type { Delta } from "../../contract/runs/model-call.ts";
import { MAIN_PAYER } from "../../contract/runs/payers.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import { activityOf, shownActivity } from "../../contract/words/activity-words.ts";
import { contextWindowOf } from "../../models/context-windows.ts";
import type { ModelGate } from "../../models/gate.ts";
import type { Files } from "../../store/files/files.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import { Slots } from "../../workspace/slots.ts";
import { AGAIN_MS, sendDelta } from "../answer-deltas.ts";
import type { ChannelFile } from "../channels/channel-file.ts";
import { keyOf } from "../channels/channels.ts";
import { type Exchange, following, idOf, type Party } from "../channels/exchange.ts";
import { shownTo } from "./main-caller.ts";
import { sessionId, spotOf } from "./main-session-id.ts";

const TURNS = 30;
/** What is tried again may cost a call of the model. */
const LONGEST_AGAIN_MS = 60_000;

interface Parts {
  files: Files;
  clock: () => Date;
  config: Config;
  exchange: Exchange;
  gate: Pick<ModelGate, "ask">;
  redactor: () => Redactor;
  /** Resolves when it is certain. */
  model: () => Promise<string>;
  toolsFor: (message: SessionMessage) => Tool[];
  guardOf: ResidentPorts["guardOf"];
  /** What its prompt says of the hall as it is now. */
  parts: (contextWindow: number, message: SessionMessage) => PromptPart[];
  onTrouble: (what: string, error: unknown) => void;
}

/** The agent that speaks with the person and knows all projects. It does nothing while nobody speaks. */
export class MainAgent implements Party {
  readonly #parts: Parts;
  readonly #slots: Slots;
  #resident: Resident | undefined;
  #session: Session | undefined;
  #answering: SessionMessage | undefined;
  #again: NodeJS.Timeout | undefined;
  #againMs = AGAIN_MS;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#slots = new Slots(parts.config.limits.toolCalls);
  }

  /** Takes up what was left open, the oldest first. */
  start(): void {
    const files = this.#parts.exchange.channels.withOpen("main");
    const open = files.flatMap((file) => file.open("main").map((message) => ({ file, message })));
    for (const { file, message } of inTurn(open)) this.#deliver(file, message);
  }

  look(address: ChannelAddress): void {
    const file = this.#parts.exchange.channels.of(address);
    for (const message of file.open("main")) this.#deliver(file, message);
  }

  /** Whether there was an answer to stop in the channel: the one under way, or that of its next message. */
  stop(address: ChannelAddress, reason: string): boolean {
    const { exchange } = this.#parts;
    const file = exchange.channels.of(address);
    const next = file.open("main").find(({ quiet }) => quiet !== true);
    if (next === undefined) return false;
    exchange.giveUp(address, [next.id]);
    if (this.#answering?.id === sessionId(address, next.id)) this.#resident?.stop(reason);
    return true;
  }

  /** Ends its answer, and all that waits for one. */
  async stopAll(reason: string): Promise<void> {
    const { exchange } = this.#parts;
    const open = exchange.channels
      .loaded()
      .flatMap((file) => file.open("main").map((message) => ({ address: file.address, message })));
    for (const { address, message } of open) exchange.giveUp(address, [message.id]);
    this.#resident?.stop(reason);
    for (const { address, message } of open)
      await exchange.dealtWith({ address, by: "main", message }, { outcome: "stopped", error: reason });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await this.#resident?.leave();
    await this.#session?.close();
  }

  #deliver(file: ChannelFile, message: ChannelMessage): void {
    const { id, from, text, at, root, hops, quiet, project, forwarded, client, ask } = message;
    if (this.#isClosed) return;
    try {
      this.#resident ??= this.#open();
    } catch (error) {
      this.#parts.onTrouble("the main agent's session cannot be opened", error);
      this.#tryAgain();
      return;
    }
    this.#resident.deliver({
      id: sessionId(file.address, id),
      from,
      channel: file.address,
      text,
      at,
      root: root ?? id,
      hops,
      quiet,
      project,
      forwarded,
      client,
      ask,
    });
  }

  #open(): Resident {
    const { files, clock, exchange, gate, redactor, onTrouble } = this.#parts;
    const session = Session.open(files, { clock });
    this.#session = session;
    return new Resident(session, {
      who: "the main agent",
      clock,
      brief: (message) => this.#brief(message),
      shownTo,
      ask: ({ system, settings, messages, tools, aside, signal, onWait, onRetry }) => {
        const of = this.#answering;
        const onDelta = (delta: Delta) => {
          if (delta.kind === "restart") onRetry(delta.reason);
          if (of !== undefined && aside !== true) sendDelta(exchange, spotOf(of), delta);
        };
        const caller = { projectId: MAIN_PAYER, isPatient: true, signal, onDelta };
        return gate.ask(
          { ...settings, system, tools, messages },
          {
            ...caller,
            onWait: (wait) => {
              onWait(wait);
              this.#does(activityOf(wait));
            },
          },
        );
      },
      withToolSlot: async (work) => {
        const release = await this.#slots.take(MAIN_PAYER, new AbortController().signal);
        return work().finally(release);
      },
      redact: (entry) => redactedEntry(entry, redactor()),
      guardOf: (message) => this.#parts.guardOf(message),
      onActivity: (activity) => this.#does(shownActivity(activity, (text) => redactor().text(text))),
      onAnswered: (message, end) => this.#answered(message, end),
      onTrouble: (error) => {
        this.#resident = undefined;
        void session.close().catch(() => undefined);
        onTrouble("the main agent's session cannot be written", error);
        this.#tryAgain();
      },
    });
  }

  async #brief(message: SessionMessage): Promise<Brief> {
    const { config, model: modelOf, toolsFor, parts, exchange } = this.#parts;
    const { address, messageId } = spotOf(message);
    // Somebody stopped everything while it waited.
    if (!exchange.isWanted(address, "main", messageId))
      throw new HallError("forbidden", "The answer is no longer needed.");
    this.#answering = message;
    this.#does({ kind: "thinking" });
    const model = await modelOf();
    const contextWindow = contextWindowOf(model, config);
    const system = promptOf([
      { heading: "Guildhall", text: MAIN_MANNERS, tokens: 2_000 },
      ...parts(contextWindow, message),
    ]);
    return { system, settings: { model, thinking: "low" }, contextWindow, turns: TURNS, tools: toolsFor(message) };
  }

  #does(activity: Activity): void {
    if (this.#answering === undefined) return;
    const { address, messageId } = spotOf(this.#answering);
    this.#parts.exchange.does(address, { messageId, activity });
  }

  async #answered(said: SessionMessage, end: TurnEnd): Promise<void> {
    const { exchange } = this.#parts;
    const { address, messageId } = spotOf(said);
    if (this.#answering?.id === said.id) this.#answering = undefined;
    const file = exchange.channels.of(address);
    const message = file.find(messageId);
    if (message === undefined) return;
    const { error } = end;
    const outcome = exchange.outcomeOf(address, messageId, end.outcome);
    const answer = this.#answerTo(address, message, { ...end, outcome });
    const isElsewhere = answer !== undefined && keyOf(answer.address) !== keyOf(address);
    try {
      if (isElsewhere && exchange.isWanted(address, "main", messageId))
        await exchange.send(answer.address, answer.draft);
      const here = isElsewhere ? undefined : answer?.draft;
      await exchange.dealtWith({ address, by: "main", message }, { outcome, error, answer: here, text: end.text });
      this.#againMs = AGAIN_MS;
    } catch (failure) {
      this.#parts.onTrouble("the main agent's answer could not be saved yet", failure);
      this.#tryAgain();
    }
  }

  /** Its last words go to the person who began it, where they did, unless it has replied there. */
  #answerTo(address: ChannelAddress, message: ChannelMessage, { outcome, text, error, steps }: TurnEnd) {
    const { exchange } = this.#parts;
    const hearer = address.type === "project" ? exchange.begunIn(message.root) : address;
    if (hearer === undefined || hearer.type === "project" || message.quiet === true) return undefined;
    if (outcome === "stopped") return undefined;
    const { root, hops } = following(message);
    const isHere = address.type !== "project" && message.from === "person";
    const common = { id: idOf("answer", keyOf(address), message.id), to: "person" as const, root, hops };
    const draft = { ...common, inReplyTo: isHere ? message.id : root };
    // Nobody expects a word over what a project or the hall has said.
    if (outcome !== "answered" && !isHere) return undefined;
    if (outcome !== "answered") {
      const reason = error ?? `its turn ${outcome === "refused" ? "was refused" : outcome}.`;
      return {
        address: hearer,
        draft: { ...draft, from: "hall" as const, text: `The main agent gave no answer: ${reason}` },
      };
    }
    const isReply = (said: ChannelMessage) =>
      said.from === "main" && said.root === root && said.hops === hops && said.id !== draft.id;
    if (text.trim() === "" || exchange.channels.of(hearer).count(isReply) > 0) return undefined;
    return { address: hearer, draft: { ...draft, from: "main" as const, text, steps } };
  }

  /** Everything that is open is brought again: what the session knows of it is not done twice. */
  #tryAgain(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.start(), this.#againMs).unref();
    this.#againMs = Math.min(2 * this.#againMs, LONGEST_AGAIN_MS);
  }
}

/** By their time, but never against the order of their channel, whatever the clock did meanwhile. */
function inTurn<Open extends { file: ChannelFile; message: ChannelMessage }>(open: readonly Open[]): Open[] {
  const latest = new Map<ChannelFile, string>();
  const timed = open.map((one) => {
    const before = latest.get(one.file) ?? "";
    const at = before.localeCompare(one.message.at) > 0 ? before : one.message.at;
    latest.set(one.file, at);
    return { one, at };
  });
  return timed.sort((left, right) => left.at.localeCompare(right.at)).map(({ one }) => one);
}
