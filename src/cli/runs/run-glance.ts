import type { Activity } from "../../contract/runs/activity.ts";
import { assumedUsd } from "../../contract/runs/assumed-price.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Delta } from "../../contract/runs/model-call.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Paint } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { fitPath, fitText, textWidth } from "../text/text-width.ts";
import { activityText } from "../text/tool-call.ts";
import { durationText, money } from "./run-text.ts";

/** One message of the live stream. */
export interface Live {
  delta?: Delta;
  activity?: Activity;
  run?: Run;
}

const KEPT = 400;
const LEAST_WORDS = 12;

/** What a run is doing right now, told in one line. */
export class RunGlance {
  #run: Run | undefined;
  #turns = 0;
  #activity: Activity | undefined;
  #isAway = false;
  #words = "";
  #costUsd = 0;
  #costKnown = true;

  /** The daemon does not answer. */
  lose(): void {
    this.#isAway = true;
    this.#words = "";
  }

  hear({ delta, activity, run }: Live): void {
    this.#isAway = false;
    if (delta !== undefined) this.#add(delta);
    if (run !== undefined) {
      this.#run = run;
      this.#activity = run.activity;
    }
    if (activity !== undefined) {
      this.#activity = activity;
      this.#words = "";
    }
  }

  took(entry: JournalEntry): void {
    if (entry.type === "answer") this.#turns++;
    if (entry.type !== "answer" && entry.type !== "summary") return;
    const { costUsd: usd, usage } = entry;
    this.#costUsd += usd ?? assumedUsd({ usd, ...usage });
    this.#costKnown &&= entry.costUsd !== null;
  }

  /** At most `width` columns wide; the newest of what the model says has what the rest leaves. */
  line(now: number, { width, paint }: { width: number; paint: Paint }): string {
    const facts = fitText(this.#facts(now), width);
    const room = width - textWidth(facts) - 2;
    const words = oneLine(this.#words.replace(/\s+/g, " ").trim());
    if (words === "" || room < LEAST_WORDS) return paint("cyan", facts);
    return `${paint("cyan", facts)}  ${paint("dim", fitPath(words, room))}`;
  }

  #facts(now: number): string {
    const run = this.#run;
    if (run === undefined || run.status === "pending")
      return run?.waitingFor === undefined ? "waiting to start" : activityText(this.#activity);
    const elapsed = durationText(now - Date.parse(run.startedAt ?? run.createdAt));
    const does = this.#isAway ? "waiting for the daemon" : activityText(this.#activity) || "starting";
    const turn = `turn ${Math.max(1, this.#turns + (this.#activity?.kind === "thinking" ? 1 : 0))}`;
    return [turn, elapsed, money(this.#costUsd, this.#costKnown), fitText(does, 40)].join(" · ");
  }

  #add(delta: Delta): void {
    if (delta.kind === "restart") this.#words = "";
    if (delta.kind === "call") this.#words = `→ ${delta.name}`;
    if (delta.kind === "output") this.#words = delta.text.slice(-KEPT);
    if (delta.kind === "text" || delta.kind === "thinking") this.#words = (this.#words + delta.text).slice(-KEPT);
  }
}
