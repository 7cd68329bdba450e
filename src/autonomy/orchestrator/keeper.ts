import { setImmediate as nextTick } from "node:timers/promises";
import type { Cause, Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import type { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange } from "../../workspace/core.ts";
import type { Judge } from "./choose.ts";
import { CycleMaking } from "./cycle-making.ts";
import type { OrchestratorEffects } from "./effects.ts";
import { type FactsParts, Orientation } from "./facts.ts";
import type { OrchestratorLog } from "./log.ts";
import { type Ask, openCycle } from "./state.ts";

const LONGEST_SLEEP_MS = 3_600_000;
const RETRY_MS = 5_000;
const MOST_CAUSES = 20;

export interface KeeperParts extends FactsParts {
  config: Pick<Config, "orchestrator" | "briefing">;
  log: OrchestratorLog;
  effects: OrchestratorEffects;
  judge: Judge;
  /** Has a draft reviewed. */
  review: (id: string) => void;
  onTrouble: (what: string, error: unknown) => void;
}

/**
 * Runs cycles, one at a time: when someone asks, and when something happened that could let work start. What a cycle starts is durable
 * before it is started, under the id it is started with.
 */
export class OrchestratorKeeper {
  readonly #parts: KeeperParts;
  readonly #making: CycleMaking;
  #causes: Cause[] = [];
  #work: Promise<void> = Promise.resolve();
  #isWanted = false;
  #isStarted = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const whyNot = (projectId: string | undefined) => this.#whyNot(projectId);
    this.#making = new CycleMaking({ ...parts, whyNot });
  }

  start(): void {
    this.#isStarted = true;
    this.look({ kind: "start" });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  isOn(): boolean {
    return this.#parts.config.orchestrator.enabled;
  }

  /** Something happened. Does nothing, and costs nothing, while it is off. */
  look(cause: Cause): void {
    if (this.#isClosed || !this.#isStarted || !this.isOn()) return;
    const isKnown = this.#causes.some(({ kind, id }) => kind === cause.kind && id === cause.id);
    if (!isKnown && this.#causes.length < MOST_CAUSES) this.#causes.push(cause);
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#work = this.#work.then(() => this.#attend());
  }

  /** Resolves with the cycle that served the request. */
  async ask(by: Ask["by"], { id, key }: { id: string; key?: string | undefined }): Promise<Cycle> {
    const { log, core } = this.#parts;
    this.#assertCan();
    const at = core.clock().toISOString();
    const isKnown = [key ?? id, id].some(
      (name) => log.state.served.has(name) || log.state.asks.some((ask) => ask.id === name || ask.key === name),
    );
    const line = { type: "asked" as const, at, id, by, ...(key === undefined ? {} : { key }) };
    if (!isKnown) await core.locks.run("orchestrator", () => log.append([line]));
    this.look({ kind: by, id });
    await this.#work;
    const found = this.servedBy(key ?? id);
    if (found === undefined) throw new HallError("orchestrator_refused", "The cycle did not run; it runs later.");
    return found;
  }

  servedBy(request: string): Cycle | undefined {
    const { state } = this.#parts.log;
    const served = state.served.get(request);
    return state.cycles.findLast(({ id }) => id === served);
  }

  async pause(change: Change): Promise<void> {
    await this.#switch(true, change);
  }

  async resume(change: Change): Promise<void> {
    await this.#switch(false, change);
    this.look({ kind: "settings" });
  }

  async #switch(isPause: boolean, change: Change): Promise<void> {
    const { log, core } = this.#parts;
    await core.locks.run("orchestrator", async () => {
      if ((log.state.paused !== undefined) === isPause) return;
      const at = core.clock().toISOString();
      const by = change.actor.kind;
      const type = isPause ? ("paused" as const) : ("resumed" as const);
      const event: EventDraft = {
        ...byChange({ ...change, request: undefined }),
        type: `orchestrator.${type}`,
        subject: { kind: "orchestrator", id: "orchestrator" },
      };
      await log.append([{ type, at, by }], { events: [event] });
    });
  }

  #assertCan(): void {
    if (!this.isOn()) throw new HallError("orchestrator_refused", "The orchestrator is off. Set orchestrator.enabled.");
    const { problem, state } = this.#parts.log;
    if (problem !== undefined) throw new HallError("file_invalid", problem.reason, { file: problem.file });
    if (state.paused !== undefined)
      throw new HallError("orchestrator_refused", "The orchestrator is paused. Resume it first.");
  }

  /** Why nothing is done in a project any more, whatever was decided. */
  #whyNot(projectId: string | undefined): string | undefined {
    const { core, log } = this.#parts;
    const project = projectId === undefined ? undefined : core.projects.get(projectId);
    const isIn = project?.status === "active" && (project.config.autonomy ?? "off") !== "off";
    const isAllowed = (isIn || projectId === undefined) && this.isOn() && log.state.paused === undefined;
    return isAllowed ? undefined : "It was paused or switched off meanwhile.";
  }

  /** Until nothing more can be started. Never rejects. */
  async #attend(): Promise<void> {
    // Events that come together are one cause of one cycle.
    await nextTick();
    this.#isWanted = false;
    const causes = this.#causes.splice(0);
    try {
      await this.#cycles(causes);
    } catch (error) {
      if (this.#isClosed) return;
      this.#parts.onTrouble("a cycle of the orchestrator failed; retrying", error);
      this.#sleep(RETRY_MS);
    }
  }

  async #cycles(causes: readonly Cause[]): Promise<void> {
    const { core, log } = this.#parts;
    clearTimeout(this.#timer);
    if (log.problem !== undefined || this.#isClosed || !this.isOn()) return;
    await core.shown.caughtUp();
    const open = openCycle(log.state);
    if (open !== undefined) await this.#making.complete(open);
    if (log.state.paused !== undefined) return;
    const asks = log.state.asks.map(({ id, by }): Cause => ({ kind: by, id }));
    const others = causes.filter(({ kind }) => kind !== "asked" && kind !== "trigger");
    const due = await this.#making.run(new Orientation(this.#parts), [...asks, ...others]);
    if (due.again) this.look({ kind: "self" });
    if (due.inMs !== undefined) this.#sleep(due.inMs);
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.look({ kind: "time" }), Math.min(LONGEST_SLEEP_MS, ms)).unref();
  }
}
