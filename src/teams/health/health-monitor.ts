import type { HealthSettings } from "../../contract/documents/config.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { HealthIssueType } from "../../contract/words/teams/health-words.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import { WAITS_FOR_AGENT } from "../../contract/words/tool-names.ts";
import type { LiveRuns } from "../../runs/record/live-runs.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { TeamState } from "../machine/team-state.ts";
import type { TeamKeeper } from "../team-keeper.ts";
import type { TeamStore } from "../team-store.ts";
import { healthFacts, type Means, type SeenMember } from "./health-facts.ts";
import { issuesOf, type MemberActivity } from "./health-rules.ts";
import { MemberWatch } from "./member-watch.ts";

interface Parts {
  core: Pick<Core, "runs" | "files" | "clock" | "shown">;
  store: Pick<TeamStore, "open" | "find" | "append">;
  keeper: Pick<TeamKeeper, "alone" | "look">;
  live: Pick<LiveRuns, "subscribe" | "shown">;
  settings: () => HealthSettings;
  means: () => Omit<Means, "isDebounced">;
  /** Who answers when a model is asked: the offline model may play it. */
  answersFor: (model: string) => string;
  /** Milliseconds of a clock that never jumps. */
  uptime: () => number;
  onTrouble: (what: string, error: unknown) => void;
}

/** After a turn of a member, it is looked at when its journal has it. */
const SOON_MS = 500;
const ASKING: ReadonlySet<string | undefined> = new Set(["thinking", "summarizing", "retrying"]);

/** Looks at members at work now and then, and has the team help those that are stuck. Without any, it has no timer. */
export class HealthMonitor {
  readonly #parts: Parts;
  /** By the member's run. */
  readonly #watches = new Map<string, MemberWatch>();
  /** Runs that were heard of, and the member's run that started them. */
  readonly #roots = new Map<string, string | undefined>();
  readonly #raised = new Map<string, number>();
  readonly #dirty = new Set<string>();
  readonly #atWork = new Set<Promise<unknown>>();
  #unsubscribe: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.live.subscribe(({ runId, activity }) => this.#sign(runId, activity?.kind));
    this.#arm();
  }

  /** Must not throw. */
  heed({ type, subject, projectId }: HallEvent): void {
    if (type === "run.started" && this.#hasTeam(projectId)) this.#arm();
    const watch = type === "run.ended" ? this.#watches.get(subject.id) : undefined;
    if (watch !== undefined) this.#track(this.#ended(watch), `the health of ${watch.member} could not be recorded`);
  }

  /** What was wrong with a run that failed, before its team goes on with the task. */
  async #ended({ teamId, member, runId }: MemberWatch): Promise<void> {
    const { core, store, keeper } = this.#parts;
    await keeper.alone(teamId, async () => {
      await core.shown.available();
      await core.shown.caughtUp();
      const state = store.find(teamId);
      const seen = state === undefined || hasEnded(state.status) ? undefined : this.#lookAt(state, member, runId);
      if (seen?.isOver === true) await this.#record(teamId, seen);
      this.#watches.delete(runId);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    await Promise.all(this.#atWork);
  }

  /** The run of a member, with what it did lately; undefined of one that is not at work. */
  activityOf(runId: string): (MemberActivity & { run: Run }) | undefined {
    const { core, live } = this.#parts;
    const known = core.runs.get(runId);
    if (known === undefined || isOver(known.run)) return undefined;
    const watch = this.#watches.get(runId);
    const run = live.shown(known.run);
    const leaves = this.#leavesOf(run);
    const asked = leaves.find(({ activity }) => ASKING.has(activity?.kind))?.model;
    return {
      run,
      activeAt: watch?.activeAt ?? this.#parts.uptime(),
      isWaiting: leaves.some(({ status, waitingFor }) => status === "pending" || waitingFor !== undefined),
      asks: asked === undefined ? undefined : this.#parts.answersFor(asked),
      commandSeconds: watch?.commandSeconds,
      calls: watch?.calls ?? [],
      context: run.context,
    };
  }

  /** The run itself, or those that it started and waits for. */
  #leavesOf(run: Run): Run[] {
    const { core, live } = this.#parts;
    if (run.activity?.kind !== "tool" || !WAITS_FOR_AGENT.includes(run.activity.name)) return [run];
    const children = core.runs.unsettled(run.projectId).filter((child) => child.run.parentRunId === run.id);
    const leaves = children.flatMap((child) => this.#leavesOf(live.shown(child.run)));
    return leaves.length === 0 ? [run] : leaves;
  }

  /** Looks at every member at work, or at those whose run is named. Answers how many are at work. */
  look(only?: ReadonlySet<string>): number {
    const { store, settings } = this.#parts;
    if (!settings().enabled) return this.#forgetAll();
    let atWork = 0;
    const seen = new Set<string>();
    for (const state of store.open()) {
      if (hasEnded(state.status)) continue;
      const looked = [...state.members.values()].flatMap(({ name, runId }) => {
        if (runId === undefined) return [];
        seen.add(runId);
        const found = only === undefined || only.has(runId) ? this.#lookAt(state, name, runId) : undefined;
        if (found !== undefined && !found.isOver) atWork++;
        return found ?? [];
      });
      this.#tell(state, only === undefined ? [...looked, ...leftBehind(state)] : looked);
    }
    if (only === undefined) this.#forgetBut(seen);
    return atWork;
  }

  #forgetBut(runIds: ReadonlySet<string>): void {
    for (const runId of this.#watches.keys()) if (!runIds.has(runId)) this.#watches.delete(runId);
    this.#roots.clear();
  }

  #forgetAll(): number {
    this.#watches.clear();
    this.#roots.clear();
    return 0;
  }

  /** Undefined of a run that has not begun. */
  #lookAt({ document: { id: teamId } }: TeamState, member: string, runId: string): SeenMember | undefined {
    const { core, uptime, settings } = this.#parts;
    const known = core.runs.get(runId);
    if (known === undefined || known.run.status === "pending") return undefined;
    const watch = this.#watchOf({ teamId, member, runId, journal: known.journal });
    watch.look(core.files);
    const { run, epoch } = known;
    const about = { member, runId, epoch, model: run.model, isOver: isOver(run) };
    const activity = this.activityOf(runId);
    if (activity === undefined) return { ...about, found: run.status === "completed" ? [] : this.#atEnd(watch, run) };
    if (activity.isWaiting) watch.activeAt = uptime();
    return { ...about, found: issuesOf(activity, uptime(), settings()) };
  }

  /** What was wrong with a run that failed. */
  #atEnd({ calls }: MemberWatch, { context }: Run) {
    const activity = { activeAt: 0, isWaiting: true, calls, context };
    return issuesOf(activity, 0, this.#parts.settings());
  }

  #watchOf(of: { teamId: string; member: string; runId: string; journal: string }): MemberWatch {
    const known = this.#watches.get(of.runId);
    if (known !== undefined) return known;
    const watch = new MemberWatch({ ...of, now: this.#parts.uptime() });
    this.#watches.set(of.runId, watch);
    this.#roots.clear();
    return watch;
  }

  #tell(state: TeamState, looked: readonly SeenMember[]): void {
    const { keeper } = this.#parts;
    const { id } = state.document;
    const news = looked.filter((seen) => healthFacts(state, seen, this.#means(state)).length > 0);
    const owes = [...state.health.open.values()].some(({ outcome }) => outcome === undefined);
    if (news.length === 0 && owes) keeper.look(id);
    if (news.length === 0) return;
    const work = keeper.alone(id, async () => {
      for (const seen of news) await this.#record(id, seen);
      keeper.look(id);
    });
    this.#track(work, `the health of team ${id} could not be recorded`);
  }

  /** Only under the team's lock. */
  async #record(id: string, seen: SeenMember): Promise<void> {
    const { store } = this.#parts;
    const state = store.find(id);
    if (state === undefined || hasEnded(state.status)) return;
    const facts = healthFacts(state, seen, this.#means(state));
    await store.append(id, facts, { change: { actor: BY_DAEMON } });
    for (const fact of facts) if (fact.type === "health-issue") this.#raise(id, fact.member, fact.issue);
  }

  #means(state: TeamState): Means {
    return {
      ...this.#parts.means(),
      isDebounced: (member, issue) => this.#isDebounced(state, member, issue),
    };
  }

  #raise(teamId: string, member: string, issue: HealthIssueType): void {
    this.#raised.set(`${teamId} ${member} ${issue}`, this.#parts.uptime());
  }

  /** After a restart, by the log: a clock that was set meanwhile makes it wait once more, and not forever. */
  #isDebounced({ document, health }: TeamState, member: string, issue: HealthIssueType): boolean {
    const { core, uptime, settings } = this.#parts;
    const debounceMs = settings().debounceSeconds * 1_000;
    const key = `${document.id} ${member} ${issue}`;
    const last = health.members.get(member)?.issues.findLast((one) => one.issue === issue);
    if (last === undefined || debounceMs === 0) return false;
    const since = this.#raised.get(key);
    if (since !== undefined) return uptime() - since < debounceMs;
    const age = Math.max(0, core.clock().getTime() - Date.parse(last.at));
    this.#raised.set(key, uptime() - age);
    return age < debounceMs;
  }

  /** A sign of life. Of an agent that a member started, it is one of the member. */
  #sign(runId: string, doing: string | undefined): void {
    if (this.#watches.size === 0) return;
    const watch = this.#watches.get(runId) ?? this.#watchOfParent(runId);
    if (watch === undefined) return;
    watch.activeAt = this.#parts.uptime();
    if (doing === "thinking" && watch.runId === runId) this.#later(runId);
  }

  #watchOfParent(runId: string): MemberWatch | undefined {
    if (!this.#roots.has(runId)) this.#roots.set(runId, this.#rootOf(runId));
    return this.#watches.get(this.#roots.get(runId) ?? "");
  }

  #rootOf(runId: string): string | undefined {
    const { core } = this.#parts;
    let at: string | undefined = runId;
    while (at !== undefined && !this.#watches.has(at)) at = core.runs.get(at)?.run.parentRunId;
    return at;
  }

  #later(runId: string): void {
    this.#dirty.add(runId);
    if (this.#isClosed) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      const runIds = new Set(this.#dirty);
      this.#dirty.clear();
      this.#trying(() => this.look(runIds));
    }, SOON_MS).unref();
  }

  #hasTeam(projectId: string | undefined): boolean {
    const { store } = this.#parts;
    return store.open().some(({ document, status }) => document.projectId === projectId && !hasEnded(status));
  }

  /** Time in which the daemon itself was held up does not count: nobody could give a sign of life. */
  #arm(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    const { uptime, settings } = this.#parts;
    const everyMs = settings().checkSeconds * 1_000;
    const due = uptime() + everyMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const late = uptime() - due;
      if (late > everyMs) for (const watch of this.#watches.values()) watch.activeAt += late;
      if (this.#trying(() => this.look()) > 0) this.#arm();
    }, everyMs).unref();
  }

  /** A look that failed is made again. */
  #trying(look: () => number): number {
    try {
      return look();
    } catch (error) {
      if (!this.#isClosed) this.#parts.onTrouble("the health of teams could not be checked", error);
      return 1;
    }
  }

  #track(work: Promise<unknown>, trouble: string): void {
    const done = work.catch((error) => {
      if (!this.#isClosed) this.#parts.onTrouble(trouble, error);
    });
    this.#atWork.add(done);
    void done.then(() => this.#atWork.delete(done));
  }
}

/** Members that have no run any more, with issues that are open. */
function leftBehind({ health, members }: TeamState): SeenMember[] {
  return [...health.open.values()]
    .filter(({ member, runId }) => members.get(member)?.runId !== runId)
    .map(({ member, runId, epoch }) => ({ member, runId, epoch, isOver: true, found: [] }));
}
