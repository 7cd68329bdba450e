import { setTimeout as delay } from "node:timers/promises";
import { CallIds } from "../agent/call-ids.ts";
import { planIn } from "../agent/journal-entries.ts";
import { redactedEntry } from "../agent/redacted-entry.ts";
import { runAgent } from "../agent/run-agent.ts";
import { Deadline, stamped, timeUsed } from "../agent/run-time.ts";
import { Transcript } from "../agent/transcript.ts";
import type { ModelWait } from "../contract/documents/budget.ts";
import type { Activity } from "../contract/runs/activity.ts";
import { type Guards, withConsent } from "../contract/runs/guarding.ts";
import type { JournalEntry, RecordedEnd, RunEnd } from "../contract/runs/journal.ts";
import type { OrderOf } from "../contract/runs/protocol.ts";
import type { RunContext, RunPlan } from "../contract/runs/run.ts";
import { shownActivity } from "../contract/words/activity-words.ts";
import { errorText } from "../contract/words/error-text.ts";
import { storageTrouble } from "../store/files/storage-failure.ts";
import { DiskWait } from "../store/host/disk-wait.ts";
import type { LineUse } from "../store/logs/log.ts";
import type { Redactor } from "../store/secrets/redaction.ts";
import { hallGuard } from "./hall-guard.ts";
import { journalWriter } from "./journal-writer.ts";
import type { Conversation, Question } from "./model-proxy.ts";
import { awaitedJournal, openJournal, type RunJournal } from "./run-journal.ts";
import { runTools } from "./run-tools.ts";
import type { Finished, Workshop } from "./workshop.ts";

/** How long a tool may take to notice that its run is over. */
const GRACE_MS = 1_000;
/** How long tools that are at work may take when their process leaves. */
const LEAVE_MS = 5_000;

type Order = OrderOf<"run">;
type Said = Order["messages"][number];
type MessageEntry = Extract<JournalEntry, { type: "message" }>;

interface Play {
  plan: RunPlan;
  entries: JournalEntry[];
  journal: (entry: JournalEntry, use?: LineUse) => Promise<void>;
  writable: () => Promise<void>;
  deadline: Deadline;
}

/** One agent with its journal, from where the journal stands to its end, or until it is let go. */
export class AgentRun {
  readonly #order: Order;
  readonly #shop: Workshop;
  /** Aborted when the run is cancelled or out of time: it ends. */
  readonly #ending = new AbortController();
  /** Aborted when this process leaves it: it goes on from its journal another time. */
  readonly #leaving = new AbortController();
  /** Aborted when the tools at work did not finish in the time they had then: they are ended as by a crash. */
  readonly #breakingOff = new AbortController();
  readonly #tooling = AbortSignal.any([this.#ending.signal, this.#breakingOff.signal]);
  /** Aborted when no model is to be asked any more. */
  readonly #over = AbortSignal.any([this.#ending.signal, this.#leaving.signal]);
  /** Aborted when what waits for something must not be begun. Made once: a run with thousands of calls has one. */
  readonly #waiting = AbortSignal.any([this.#tooling, this.#leaving.signal]);
  readonly #held: (() => void)[] = [];
  readonly #redactor: Redactor;
  readonly #disk = new DiskWait({
    what: "its journal",
    onWait: (wait) => this.#waitsForDisk(wait),
    signal: this.#over,
  });
  /** Resolved when the run is created, if it was not with its order; rejected when this process leaves it before. */
  readonly #begun = Promise.withResolvers<void>();
  #standStill: (wait: ModelWait | undefined) => void = () => undefined;
  #inbox: MessageEntry[] = [];
  /** Ids of messages: one may come with the order, and again by itself. */
  #said = new Set<string>();
  #guards: Guards | undefined;
  #hears = true;
  #played: Finished["played"];
  /** Never rejects. */
  readonly done: Promise<void>;

  /** `after`: it begins when that has ended. */
  constructor(order: Order, shop: Workshop, after?: AgentRun) {
    this.#order = order;
    this.#shop = shop;
    this.#redactor = shop.redactor();
    this.#guards = order.guards;
    this.#begun.promise.catch(() => undefined);
    this.done = after === undefined ? this.#work() : after.done.then(() => this.#work());
  }

  get runId(): string {
    return this.#order.runId;
  }

  /** The run is created: its journal may be written. */
  begin(): void {
    this.#begun.resolve();
  }

  cancel(reason: string): void {
    this.#ending.abort(new Error(reason));
  }

  /** Whether the message will reach the model. */
  deliver(message: Said): boolean {
    if (this.#hears && !this.#said.has(message.id)) this.#inbox.push(entryOf(message));
    if (this.#hears) this.#said.add(message.id);
    return this.#hears;
  }

  /** What the hall is asked about from now on. */
  guard(guards: Guards): void {
    this.#guards = guards;
  }

  /** A tool that is at work may finish within a few seconds; nothing new is begun. */
  letGo(): void {
    const reason = new Error("Guildhall is stopping.");
    this.#leaving.abort(reason);
    this.#begun.reject(reason);
    const timer = setTimeout(() => this.#breakingOff.abort(reason), this.#shop.leaveMs ?? LEAVE_MS);
    void this.done.then(() => clearTimeout(timer));
  }

  async #work(): Promise<void> {
    const { id: orderId } = this.#order;
    const { send } = this.#shop;
    let journal: RunJournal | undefined;
    try {
      journal = await this.#journal();
      const end = await this.#endOf(journal);
      if (end === undefined) return;
      const isWorth = this.#shop.onEnded?.({ order: this.#order, end, played: this.#played }) === true;
      send({ type: "ended", orderId, end, ...(isWorth ? { worthReflection: true } : {}) });
    } catch (error) {
      if (this.#leaving.signal.aborted && !this.#ending.signal.aborted) return;
      const reason = errorText(error);
      send({ type: "stumbled", orderId, reason, isStorage: storageTrouble(error) !== undefined });
    } finally {
      this.#hears = false;
      await journal?.close();
    }
  }

  async #journal(): Promise<RunJournal> {
    const { journal: path, plan } = this.#order;
    const where = { journals: this.#shop.journals, path, disk: this.#disk };
    return plan === undefined ? openJournal(where) : awaitedJournal({ ...where, plan, begun: this.#begun.promise });
  }

  async #endOf({ entries, log, trouble, sync }: RunJournal): Promise<RecordedEnd | undefined> {
    const plan = planIn(entries);
    if (plan === undefined)
      return {
        status: "failed",
        cause: "journal",
        error: "The run can't continue: the first line of its journal is missing.",
      };
    const finished = entries.findLast((entry) => entry.type === "ended");
    if (finished !== undefined) {
      // A process that died may have left its last line to the system only.
      await this.#disk.until(sync);
      return finished.end;
    }
    const { epoch, messages } = this.#order;
    const { clock, uptime } = this.#shop.time;
    this.#said = new Set(entries.flatMap((entry) => (entry.type === "message" ? [entry.id] : [])));
    const isNew = ({ id }: MessageEntry) => {
      const wasSaid = this.#said.has(id);
      this.#said.add(id);
      return !wasSaid;
    };
    this.#inbox = [...messages.map(entryOf), ...this.#inbox].filter(isNew);
    const { broken, close, writable, ...writer } = journalWriter(log, trouble);
    const begun = uptime();
    const journal = (entry: JournalEntry, use?: LineUse) => writer.journal(stamped(entry, uptime() - begun), use);
    const seconds = plan.limits.seconds;
    const overtime = Object.assign(new Error(`The run exceeded its time limit of ${seconds} seconds.`), {
      name: "TimeoutError",
    });
    const deadline = new Deadline(seconds * 1_000 - timeUsed(entries), () => this.#ending.abort(overtime));
    this.#standStill = standStill(deadline);
    try {
      // Positions in the journal count: what it has, the transcript must have.
      const started: JournalEntry = { type: "started", epoch, at: clock().toISOString() };
      entries.push(started);
      void journal(started);
      const end = await Promise.race([
        this.#play({ plan, entries, journal, writable, deadline }),
        this.#abandoned(),
        broken,
      ]);
      this.#hears = false;
      const isLeft = this.#isLeftWith(end);
      const shown = this.#redactor.deep(end);
      const last: JournalEntry[] = isLeft ? [] : [{ type: "ended", epoch, end: shown, at: clock().toISOString() }];
      const tellEnding = () => this.#shop.send({ type: "ending", orderId: this.#order.id, end: shown });
      const lines = last.map((entry) => stamped(entry, uptime() - begun));
      await Promise.race([close(lines, isLeft ? undefined : tellEnding), broken]);
      return isLeft ? undefined : shown;
    } finally {
      deadline.clear();
    }
  }

  #waitsForDisk(wait: ModelWait | undefined): void {
    this.#standStill(wait);
    this.#shop.send({ type: "disk_wait", orderId: this.#order.id, wait });
  }

  /** Whether it has not ended of itself, but because its process leaves. */
  #isLeftWith({ status }: RunEnd): boolean {
    if (this.#ending.signal.aborted || status === "completed") return false;
    return status === "failed" ? this.#leaving.signal.aborted : this.#breakingOff.signal.aborted;
  }

  /** A message that came while the model ended its turn makes it go on. */
  async #play({ plan, entries, journal, writable, deadline }: Play): Promise<RunEnd> {
    const ids = new CallIds(entries);
    const transcript = new Transcript(entries);
    this.#played = { plan, transcript };
    const note = (entry: JournalEntry) => {
      transcript.add(entry);
      void journal(entry);
    };
    const at = () => this.#shop.time.clock().toISOString();
    const stand = standStill(deadline);
    const conversation = this.#conversation(plan, {
      onRetry: (reason) => note({ type: "failure", reason, at: at() }),
      onWait: (wait) => {
        stand(wait);
        note(wait === undefined ? { type: "resumed", at: at() } : { type: "waiting", ...wait, at: at() });
      },
    });
    const { limits, contextWindow } = plan;
    const who = `role '${plan.roleId}'`;
    const context = {
      who,
      what: "The run",
      model: plan.model.value,
      limits,
      contextWindow,
      transcript,
      parkedAt: this.#order.parkedAt,
    };
    const ports = {
      ...this.#ports(plan),
      ask: async (question: Question) => {
        // An answer that cannot be written down may have to be paid for again.
        await writable();
        return ids.own(await this.#shop.models.ask(conversation, question));
      },
      tools: runTools({
        ...{ plan, order: this.#order, shop: this.#shop, deadline, redactor: this.#redactor },
        leaving: this.#leaving.signal,
        // The child may need the slot: whoever only waits must not hold one.
        giveSlotBack: () => this.#held.pop()?.(),
      }),
      guard: hallGuard({
        ...{ orderId: this.#order.id, hall: this.#shop.hall, deadline },
        guards: () => withConsent(this.#guards, plan.ask),
        signal: this.#waiting,
      }),
      journal: async (entry: JournalEntry, use?: LineUse) => {
        if (entry.type === "summary") conversation.known = 0;
        await journal(entry, use);
      },
    };
    for (;;) {
      const end = await runAgent(context, ports);
      if (end.status !== "completed" || this.#inbox.length === 0) return end;
    }
  }

  #ports(plan: RunPlan) {
    const { slots, send, time } = this.#shop;
    const signal = this.#tooling;
    const leaving = this.#leaving.signal;
    return {
      withToolSlot: async <Result>(use: () => Promise<Result>): Promise<Result> => {
        leaving.throwIfAborted();
        const release = await slots.take(plan.runId, this.#waiting);
        this.#held.push(release);
        return use().finally(() => {
          const place = this.#held.indexOf(release);
          if (place !== -1) this.#held.splice(place, 1);
          release();
        });
      },
      pause: async (ms: number, given: AbortSignal): Promise<void> => {
        await delay(ms, undefined, { signal: AbortSignal.any([given, leaving]) });
      },
      takeMessages: () => this.#inbox.splice(0),
      onActivity: (doing: Activity, turn: number) => {
        const activity = shownActivity(doing, (text) => this.#redactor.text(text));
        send({ type: "activity", orderId: this.#order.id, activity, turn, ...this.#context(plan) });
      },
      redact: (entry: JournalEntry) => redactedEntry(entry, this.#redactor),
      signal,
      ...time,
    };
  }

  #context({ contextWindow: window }: RunPlan): { context?: RunContext } {
    const used = this.#played?.transcript.lastUsed;
    return used === undefined ? {} : { context: { used, window } };
  }

  #conversation(plan: RunPlan, listeners: Pick<Conversation, "onRetry" | "onWait">): Conversation {
    return {
      orderId: this.#order.id,
      settings: {
        model: plan.model.value,
        thinking: plan.thinking.value,
        temperature: plan.temperature,
        maxTokens: plan.maxTokens,
      },
      system: plan.system,
      signal: this.#over,
      ...listeners,
      known: 0,
    };
  }

  /** The end of a run whose tool does not notice that it is over. What the tool still does has no effect on the journal. */
  #abandoned(): Promise<RunEnd> {
    const signal = this.#tooling;
    return new Promise((resolve) => {
      const end = () => {
        const { name, message: error } = signal.reason as Error;
        const ended: RunEnd =
          name === "TimeoutError"
            ? { status: "failed", cause: "time", error }
            : { status: "cancelled", cause: "cancelled", error };
        setTimeout(() => resolve(ended), GRACE_MS);
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }
}

/** Time stands still from a wait until it is over. */
function standStill(deadline: Deadline): Conversation["onWait"] {
  let goOn: (() => void) | undefined;
  return (wait) => {
    goOn?.();
    goOn = undefined;
    if (wait === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    goOn = resolve;
    void deadline.pauseDuring(() => promise);
  };
}

function entryOf({ id, text, from }: Said): MessageEntry {
  return { type: "message", id, from: from ?? "person", text };
}
