import { setTimeout as delay } from "node:timers/promises";
import type { JournalEntry, RunEnd } from "../contract/runs/journal.ts";
import { ModelFailure, type ToolCall } from "../contract/runs/model-call.ts";
import type { SessionMessage, TurnOutcome } from "../contract/runs/session.ts";
import { errorText } from "../contract/words/error-text.ts";
import type { AgentPorts } from "./agent-work.ts";
import type { CallGuard } from "./call-guard.ts";
import { CallIds } from "./call-ids.ts";
import type { Brief, ResidentPorts } from "./resident-ports.ts";
import { runAgent } from "./run-agent.ts";
import type { Session } from "./session.ts";
import { SessionScribe } from "./session-scribe.ts";
import type { TurnEnd } from "./session-tail.ts";
import type { Tool } from "./tool.ts";

/** How long a tool may take to notice that the answer was stopped. */
const GRACE_MS = 1_000;
const LEAVE_MS = { model: 5_000, tool: 5_000 };
/** How often in a row an answer may decide on the very same calls. */
const MOST_REPEATS = 5;
const UNFINISHED_CALL = "The answer ended during this call; its outcome is unknown.";
const UNREAD = "\n\nThis conversation started earlier; read the older part with session_archive_read.";

type Question = Parameters<AgentPorts["ask"]>[0];

interface Place {
  session: Session;
  ports: ResidentPorts;
  history: number;
}

/** The answer to one message: from where the session stands to the end of its turn, or until the resident leaves. */
export class ResidentTurn {
  readonly #message: SessionMessage;
  readonly #session: Session;
  readonly #ports: ResidentPorts;
  readonly #scribe: SessionScribe;
  /** Aborted when the answer is stopped: its turn ends. */
  readonly #stopping = new AbortController();
  /** Aborted when the resident leaves: nothing new is begun. */
  readonly #leaving = new AbortController();
  /** Aborted when a model, or a tool, did not finish in the time it had then. */
  readonly #modelOver = new AbortController();
  readonly #toolOver = new AbortController();
  readonly #asking = AbortSignal.any([this.#stopping.signal, this.#modelOver.signal]);
  readonly #tooling = AbortSignal.any([this.#stopping.signal, this.#toolOver.signal]);
  readonly #firstHistory: number;
  #wasRefused = false;
  /** The model is not asked yet, because money or a quota is missing: whoever leaves need not wait for that. */
  #isWaiting = false;

  constructor(message: SessionMessage, { session, ports, history }: Place) {
    this.#message = message;
    this.#session = session;
    this.#ports = ports;
    this.#firstHistory = history;
    this.#scribe = new SessionScribe(session, message, ports);
  }

  /** Changes with every time that the conversation is not the one before with more behind it. */
  get history(): number {
    return this.#firstHistory + this.#scribe.successions;
  }

  stop(reason: string): boolean {
    if (!this.#scribe.isOpen) return false;
    this.#stopping.abort(new Error(reason));
    return true;
  }

  leave(): void {
    if (this.#leaving.signal.aborted) return;
    const reason = new Error("Guildhall is stopping.");
    const { model, tool } = this.#ports.leaveMs ?? LEAVE_MS;
    this.#leaving.abort(reason);
    if (this.#isWaiting) this.#modelOver.abort(reason);
    setTimeout(() => this.#modelOver.abort(reason), model).unref();
    setTimeout(() => this.#toolOver.abort(reason), tool).unref();
  }

  /** Undefined when it is left as it is, to go on another time. Rejects only when the session cannot be written. */
  async end(): Promise<TurnEnd | undefined> {
    const { broken } = this.#scribe;
    const over = new AbortController();
    const end = await Promise.race([this.#run(), this.#abandoned(over.signal), broken]).finally(() => over.abort());
    const outcome = this.#outcomeOf(end);
    const open = this.#scribe.transcript.openCalls;
    const results = open.map(
      ({ id, name }) => ({ type: "result", id, name, output: UNFINISHED_CALL, failed: true }) as const,
    );
    const error = end.status === "completed" ? {} : { error: this.#shown(end.error) };
    const at = this.#ports.clock().toISOString();
    const ended = { type: "ended", messageId: this.#message.id, outcome: outcome ?? "failed", ...error, at } as const;
    await Promise.race([this.#scribe.close(outcome === undefined ? [] : [...results, ended]), broken]);
    return outcome === undefined ? undefined : this.#session.endOf(this.#message.id);
  }

  /** Undefined: it has not ended of itself, but because the resident leaves. */
  #outcomeOf({ status }: RunEnd): TurnOutcome | undefined {
    if (status === "completed") return "answered";
    if (this.#stopping.signal.aborted) return "stopped";
    if (this.#leaving.signal.aborted) return undefined;
    return this.#wasRefused || this.#scribe.transcript.lastWord?.finish === "refused" ? "refused" : "failed";
  }

  async #run(): Promise<RunEnd> {
    const brief = await this.#ports.brief(this.#message).catch((error: unknown) => errorText(error));
    if (typeof brief === "string") return { status: "failed", cause: "internal", error: brief };
    const { settings, contextWindow, turns } = brief;
    this.#scribe.tellTo(settings.model);
    const context = {
      who: this.#ports.who,
      what: "The answer",
      isAnswer: true,
      model: settings.model,
      limits: { turns, repeats: MOST_REPEATS },
      contextWindow,
      transcript: this.#scribe.transcript,
    };
    return runAgent(context, this.#agentPorts(brief));
  }

  #agentPorts(brief: Brief): AgentPorts {
    const { withToolSlot, redact, onActivity, clock } = this.#ports;
    const ids = new CallIds(this.#session.entries);
    return {
      ask: async (question) => ids.own(await this.#askWithoutPoison(brief, question)),
      tools: brief.tools.map((tool) => this.#ownTool(tool)),
      journal: (entry) => this.#scribe.write(entry),
      withToolSlot: (work) => {
        this.#leaving.signal.throwIfAborted();
        return withToolSlot(work);
      },
      guard: this.#guard(brief.tools),
      takeMessages: () => [],
      onActivity,
      pause: async (ms, signal) => {
        await delay(ms, undefined, { signal: AbortSignal.any([signal, this.#leaving.signal]) });
      },
      redact,
      signal: this.#tooling,
      clock,
      uptime: () => performance.now(),
    };
  }

  /** Only turns that brought a result or changed something are asked about at their end. */
  #guard(tools: readonly Tool[]): CallGuard {
    const { onEnding } = this.#ports;
    const message = this.#message;
    const calls = this.#ports.guardOf(message);
    const own = (call: ToolCall) => ({ ...call, id: this.#ownId(call.id) });
    const changing = new Set(tools.flatMap(({ changes, spec }) => (changes ? [spec.name] : [])));
    const { entries, turnStart } = this.#session;
    const before = entries.slice(0, turnStart).findLast((entry) => entry.type === "ended");
    const since = before?.type === "ended" ? before.at : message.at;
    const isResult = this.#ports.bringsResult?.(message) ?? false;
    const isEndAsked = () => onEnding !== undefined && (isResult || this.#hasChanged(changing));
    return {
      guards: () => (isEndAsked() ? { ...calls.guards(), ending: "reminds" } : calls.guards()),
      starting: async () => ({}),
      permit: (call) => calls.permit(own(call)),
      called: (call, outcome) => calls.called(own(call), outcome),
      ending: async ({ output, round }) => onEnding?.({ message, output, round, since }) ?? {},
    };
  }

  #hasChanged(changing: ReadonlySet<string>): boolean {
    const { entries, turnStart } = this.#session;
    return entries
      .slice(turnStart)
      .some((entry) => entry.type === "result" && entry.failed !== true && changing.has(entry.name));
  }

  /** Known by its message and turn: providers count calls anew, and those of long ago are not at hand. */
  #ownTool(tool: Tool): Tool {
    return { ...tool, run: (input, use) => tool.run(input, { ...use, callId: this.#ownId(use.callId) }) };
  }

  #ownId(callId: string): string {
    return `${this.#message.id}:${this.#scribe.transcript.turns}:${callId}`;
  }

  async #ask(brief: Brief, question: Question): Promise<Awaited<ReturnType<ResidentPorts["ask"]>>> {
    if (this.#asking.aborted || this.#leaving.signal.aborted)
      throw new ModelFailure("cancelled", "The call was cancelled.");
    const { settings, system } = brief;
    const at = () => this.#ports.clock().toISOString();
    return this.#ports.ask({
      ...question,
      system: this.#session.unread > 0 ? system + UNREAD : system,
      settings,
      history: this.history,
      signal: this.#asking,
      onRetry: (reason) => this.#scribe.note(this.#ports.redact({ type: "failure", reason, at: at() })),
      onWait: (wait) => {
        this.#isWaiting = wait !== undefined;
        if (this.#isWaiting && this.#leaving.signal.aborted) this.#modelOver.abort(this.#leaving.signal.reason);
        this.#scribe.note(wait === undefined ? { type: "resumed", at: at() } : { type: "waiting", ...wait, at: at() });
      },
    });
  }

  /** When a provider refuses the conversation, less and less of it is sent, down to the message alone. */
  async #askWithoutPoison(brief: Brief, question: Question) {
    try {
      return await this.#ask(brief, question);
    } catch (error) {
      if (question.aside === true || !isRefusal(error)) throw error;
      for (const way of this.#scribe.waysAround(brief.settings.model)) {
        try {
          const answer = await this.#ask(brief, { ...question, messages: way.messages });
          await way.take();
          return answer;
        } catch (again) {
          if (!isRefusal(again)) throw again;
        }
      }
      this.#wasRefused = true;
      throw error;
    }
  }

  /**
   * The end of an answer whose model or tool does not notice that it is over. `signal`: nobody waits for it any more; a
   * listener that stays would keep the whole answer in memory for ever.
   */
  async #abandoned(signal: AbortSignal): Promise<RunEnd> {
    const over = this.#asking;
    if (!over.aborted) await new Promise((resolve) => over.addEventListener("abort", resolve, { once: true, signal }));
    await delay(GRACE_MS, undefined, { ref: false });
    return { status: "cancelled", cause: "cancelled", error: errorText(over.reason) };
  }

  #shown(error: string): string {
    const entry: JournalEntry = this.#ports.redact({ type: "failure", reason: error, at: "" });
    return entry.type === "failure" ? entry.reason : error;
  }
}

function isRefusal(error: unknown): error is ModelFailure {
  return error instanceof ModelFailure && error.kind === "refused";
}
