import type { Rollback } from "../../contract/runs/checkpoint.ts";
import type { Run, RunDiff, SpawnResponse } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import { assertMayDecide } from "../../workspace/own-work.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import type { RunBook } from "../record/run-book.ts";
import type { RunProgress } from "../record/run-progress.ts";
import type { Runs } from "../runs.ts";
import type { Delivered, DeliveryPlaces } from "./delivery-place.ts";
import { decide } from "./lifecycle.ts";
import type { Decision, ResultPolicy } from "./lifecycle-events.ts";
import type { LiveDiffs } from "./live-diffs.ts";
import { returnResult } from "./returned-result.ts";
import { noResult, notDecidable } from "./review-refusals.ts";
import { unlessRefused } from "./settlement.ts";
import type { Verdicts } from "./verdicts.ts";
import type { WorkLog } from "./work-log.ts";

interface Parts {
  core: Core;
  book: Pick<RunBook, "returned">;
  progress: Pick<RunProgress, "find">;
  verdicts: Verdicts;
  runs: Pick<Runs, "again">;
  places: DeliveryPlaces;
  live: LiveDiffs;
  policyOf: (projectId: string) => ResultPolicy;
  workLog: Pick<WorkLog, "note">;
  secrets: Pick<ProjectSecrets, "of">;
}

type Reviewed = Delivered<"branch" | "folder">;

/** A run as it stands after its result was taken back; in a folder, with what was restored there and what was not. */
interface Reverted {
  run: Run;
  rollback?: Rollback;
}

/** What a person decides about the result of a run. Every decision is an event with that person as its actor. */
export class Review {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async diff(id: string): Promise<RunDiff> {
    const run = this.#find(id);
    const make = () => this.#parts.places.of(run).diff(run);
    return isOver(run) ? make() : this.#parts.live.of(id, make);
  }

  /** Merges what was shown; anything else than what the hash was taken of must be looked at first. */
  approve(id: string, hash: string, change: Change): Promise<Run> {
    const { places, verdicts } = this.#parts;
    return this.#decide(id, { decision: "approve", change }, async (run) => {
      const event = await places.of(run).deliver(run, hash);
      return verdicts.record(run, { event, hash }, change);
    });
  }

  /** A new run goes on with the branch, or the folder as it is, and is told what the person said. */
  reject(id: string, feedback: string, change: Change): Promise<SpawnResponse> {
    const { places, runs, verdicts } = this.#parts;
    return this.#decide(id, { decision: "reject", change }, async (run) => {
      const response = await runs.again(id, change, { runId: id, feedback, ...(await places.of(run).forNext(run)) });
      const { sessionId: next } = response;
      await this.#remember(run, "sent back", feedback);
      // The key of the request stands with the run it made.
      await verdicts.record(run, { event: { type: "rejected", next }, feedback }, { actor: change.actor });
      await this.#unlessNotContinued(id, next);
      return response;
    });
  }

  /** The run that is to continue it may have been cancelled before it was written down that it was sent back. */
  async #unlessNotContinued(id: string, next: string): Promise<void> {
    const { progress, policyOf } = this.#parts;
    const before = progress.find(id).run;
    const { run } = progress.find(next);
    if (!isOver(run)) return;
    const { effects } = decide({ run }, { type: "ended", before }, policyOf(run.projectId));
    if (effects.includes("give-back")) await returnResult(this.#parts, id, run);
  }

  /** Before it is noted: after a crash in between it is done again, and not twice. */
  #remember(run: Run, verdict: "sent back" | "taken back", words = ""): Promise<unknown> {
    const { workLog, secrets, core } = this.#parts;
    const text = words === "" ? "" : secrets.of(run.projectId).text(words);
    return unlessRefused(workLog.note(run, { verdict, words: text, at: core.clock().toISOString() }));
  }

  revert(id: string, change: Change): Promise<Reverted> {
    const { places, verdicts } = this.#parts;
    return this.#decide(id, { decision: "revert", change }, async (known) => {
      const { event, ...told } = await places.of(known).takeBack(known, change);
      if (event === undefined) return { run: known, ...told };
      await this.#remember(known, "taken back");
      return { run: await verdicts.record(known, { event }, change), ...told };
    });
  }

  #find(id: string): Reviewed {
    const { run } = this.#parts.progress.find(id);
    const { delivery } = run;
    if (delivery === undefined) throw noResult(run);
    return { ...run, delivery };
  }

  /** One decision about a run at a time, and nobody decides about their own work. */
  async #decide<Result>(
    id: string,
    { decision, change }: { decision: Decision; change: Change },
    carryOut: (run: Reviewed) => Promise<Result>,
  ): Promise<Result> {
    const { core } = this.#parts;
    assertMayDecide(change.actor, this.#parts.progress.find(id).run, core.runs);
    return core.locks.run(`review ${id}`, async () => {
      const run = this.#find(id);
      const isGone = decision === "revert" && (await this.#parts.places.of(run).isGone(run));
      const { refused } = decide({ run }, { type: decision, isGone });
      if (refused !== undefined) throw notDecidable(run, decision);
      return carryOut(run);
    });
  }
}
