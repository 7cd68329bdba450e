import type { HallEvent } from "../../contract/event.ts";
import { reportText } from "../../contract/words/autonomy/lead-text.ts";
import { LEAD_CAUSE_WORDS, type LeadCause } from "../../contract/words/autonomy/lead-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { LeadVoice } from "../../projects/lead-voice.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { projectRoot } from "../../workspace/layout.ts";
import { openQuestions } from "./lead-briefing.ts";
import type { LeadCosts } from "./lead-costs.ts";
import { leadPage } from "./lead-page.ts";
import { roundText } from "./lead-prompts.ts";
import { decide } from "./lead-rule.ts";
import { type LeadLine, type LeadState, leadOfRoot, roundMessageId } from "./lead-state.ts";
import { type LeadStore, leadPaths, type Place } from "./lead-store.ts";
import { type WorldParts, worldOf } from "./lead-world.ts";

const RETRY_MS = 5_000;
const LONGEST_SLEEP_MS = 3_600_000;
const LONGEST_TOLD = 2_000;
const STOPPED = "The lead was stopped.";

/** Events after which a lead may have to go on. */
const HEEDED = new Set<HallEvent["type"]>([
  "run.ended",
  "run.waiting",
  "run.resumed",
  "team.moved",
  "project.moved",
  "project.removed",
  "initiative.updated",
  "document.written",
  "document.removed",
  "file.mended",
]);

interface Parts extends WorldParts {
  core: Core;
  hall: Pick<Hall, "documents" | "tasks" | "escalations">;
  voice: LeadVoice;
  store: LeadStore;
  costs: LeadCosts;
  stopRun: (runId: string, change: Change) => Promise<void>;
  pauseTeam: (teamId: string, change: Change) => Promise<void>;
  onTrouble: (what: string, error: unknown) => void;
}

/** Has leads go on: one at a time for each project. What it does it does once, however often it looks. */
export class LeadKeeper {
  readonly #parts: Parts;
  readonly #looking = new Set<Promise<void>>();
  readonly #waiting = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Why the last turn of a lead failed. */
  readonly #failures = new Map<string, string>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at everything that is open. */
  start(): void {
    for (const { id } of this.#parts.store.open()) this.look(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#looking);
  }

  heed({ type, projectId, subject }: HallEvent): void {
    if (type === "settings.changed") this.start();
    if (!HEEDED.has(type)) return;
    if (type.startsWith("document.") && !subject.id.startsWith("plans/")) return;
    this.lookIn(projectId ?? subject.id);
  }

  lookIn(projectId: string): void {
    for (const { id } of this.#parts.store.open(projectId)) this.look(id);
  }

  /** A turn about a lead ended. */
  heard(id: string, error: string | undefined): void {
    if (error === undefined) this.#failures.delete(id);
    else this.#failures.set(id, error);
    this.look(id);
  }

  /** Soon; many at once are one. */
  look(id: string): void {
    if (this.#isClosed || this.#waiting.has(id)) return;
    this.#waiting.add(id);
    setImmediate(() => {
      this.#waiting.delete(id);
      if (this.#isClosed) return;
      const looking = this.#look(id).catch((error) => this.#again(id, error));
      this.#looking.add(looking);
      void looking.finally(() => this.#looking.delete(looking));
    });
  }

  /** When the hours begin, or in an hour: clocks are set. */
  #lookLater(id: string): void {
    clearTimeout(this.#timers.get(id));
    const wait = Math.min(LONGEST_SLEEP_MS, this.#parts.closedFor());
    this.#timers.set(id, setTimeout(() => this.look(id), wait).unref());
  }

  #again(id: string, error: unknown): void {
    const { core, store, onTrouble } = this.#parts;
    const place = store.placeOf(id);
    // A lost index can't say whether the project is still there.
    const isGone = !core.shown.isLost && place !== undefined && core.projects.status(place.projectId) === undefined;
    if (this.#isClosed || place === undefined || isGone) return;
    onTrouble(`the lead '${id}' could not continue yet; retrying`, error);
    setTimeout(() => this.look(id), RETRY_MS).unref();
  }

  /** Alone among everything that is done with leads of the project. */
  alone<Result>(projectId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`leads of ${projectId}`, work);
  }

  async #look(id: string): Promise<void> {
    const { store } = this.#parts;
    const place = store.placeOf(id);
    if (place === undefined) return;
    await this.alone(place.projectId, async () => {
      const lead = store.find(id);
      if (this.#isClosed || lead === undefined || lead.ended !== undefined) return;
      const world = worldOf(this.#parts, lead, place);
      const step = decide(lead, world);
      if (step.do === "nothing") return world.isOffHours ? this.#lookLater(id) : undefined;
      if (step.do === "say") return this.#say(lead, place, step.round);
      if (step.do === "tell") return this.#tell(lead, place, { round: step.round, mark: world.mark });
      await this.end(lead, place, { status: step.status, cause: step.cause, ready: world.ready });
    });
  }

  /** Durable before it is said; after a crash in between it is said then. */
  async #tell(lead: LeadState, place: Place, { round, mark }: { round: number; mark: string }): Promise<void> {
    const line: LeadLine = { type: "told", lead: lead.id, at: this.#now(), round, mark };
    await this.#parts.store.append(place, [line]);
    await this.#say(lead, place, round);
  }

  async #say(lead: LeadState, place: Place, round: number): Promise<void> {
    const text = roundText(this.#parts, lead, { place, round });
    await this.#parts.voice.tell(place.projectId, text, roundMessageId(lead.id, round));
  }

  /** Only alone. Its answers, its runs and its teams end or pause first: after a crash they do so again. */
  async end(
    lead: LeadState,
    place: Place,
    end: { status: "idle" | "failed" | "stopped"; cause?: LeadCause | undefined; ready: readonly string[] },
    change: Change = { actor: BY_DAEMON },
  ): Promise<void> {
    const { store, costs, voice } = this.#parts;
    const { status, cause, ready } = end;
    if (status === "stopped") await this.#withdraw(lead, place, cause === "stopped", change);
    const error = cause === undefined ? undefined : [LEAD_CAUSE_WORDS[cause], this.#whyFailed(lead.id, cause)].join("");
    const text = lead.report === undefined ? (error ?? "") : reportText(place, lead.report);
    const line: LeadLine = {
      ...{ type: "ended", lead: lead.id, at: this.#now(), status },
      ...(cause === undefined ? {} : { cause, error }),
      ...{ costUsd: costs.last(lead), ready: [...ready] },
    };
    const after = { initiative: place.initiative, status, ...(cause && { cause }), text: cutText(text, LONGEST_TOLD) };
    const subject = { kind: "lead" as const, id: lead.id };
    const event = { type: "lead.ended" as const, actor: change.actor, projectId: place.projectId, subject, after };
    const isThere = this.#parts.core.projects.status(place.projectId) !== undefined;
    if (isThere && lead.report !== undefined) await voice.report(place.projectId, text, `${lead.id}-report`);
    await store.append(place, [line], {
      events: [{ ...event, ...(change.request && { request: change.request }) }],
      writes: isThere ? [this.#page(place, lead, line)] : [],
    });
    this.#failures.delete(lead.id);
  }

  /** Whoever reads only this file knows what happened, why, what it cost and what is needed. */
  #page(place: Place, lead: LeadState, ended: Extract<LeadLine, { type: "ended" }>) {
    const open = openQuestions(this.#parts.hall, place).map(({ id, question }) => ({ id, question }));
    const content = leadPage({ ...place, lead, ended, open });
    return { kind: "put" as const, path: leadPaths(place).report, content, within: projectRoot(place.projectId) };
  }

  #whyFailed(id: string, cause: LeadCause): string {
    const error = this.#failures.get(id);
    return cause !== "turn_failed" || error === undefined ? "" : ` ${cutText(error, LONGEST_TOLD)}`;
  }

  async #withdraw(lead: LeadState, { projectId }: Place, endsRuns: boolean, change: Change): Promise<void> {
    const { voice, stopRun, pauseTeam, core } = this.#parts;
    if (core.projects.status(projectId) === undefined) return;
    voice.drop(projectId, ({ id, root }) => leadOfRoot(root ?? id) === lead.id, STOPPED);
    if (!endsRuns) return;
    const { request: _, ...by } = change;
    for (const runId of lead.runs.keys()) await stopRun(runId, by);
    for (const teamId of lead.teams.keys()) await pauseTeam(teamId, by);
  }

  #now(): string {
    return this.#parts.core.clock().toISOString();
  }
}
