import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Thought, ToolCall } from "../../contract/runs/model-call.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import { activityOf, activityWithHint } from "../../contract/words/activity-words.ts";
import { agentExcerpt, agentWords } from "../text/agent-words.ts";
import { plain } from "../text/paint.ts";
import { manyLines, oneLine } from "../text/plain-text.ts";
import type { TableSpace } from "../text/text-table.ts";
import { fitText } from "../text/text-width.ts";
import { wrapProse } from "../text/text-wrap.ts";
import { callText } from "../text/tool-call.ts";
import { durationText } from "./run-text.ts";

type Entry<Type extends JournalEntry["type"]> = Extract<JournalEntry, { type: Type }>;

export interface StepSpace extends TableSpace {
  /** How this program is called, as a shell reads it. */
  calledAs: string;
  /** Also what was thought, and what tools answered from the first line to the last. */
  full: boolean;
  /** How many characters are shown of one thing that is said; all, unless given. */
  most?: number | undefined;
}

/** Quicker than this, nobody asks where the time went. */
const SHORTEST_TOLD_MS = 1_000;
/** A line in a pipe, where long things are cut. */
const LONGEST_LINE = 200;

/**
 * The journal of a run as lines for people, one for each step that is finished: a call is told together with its result.
 * Entries must come in the journal's order.
 */
export class RunSteps {
  readonly #space: StepSpace;
  readonly #open = new Map<string, ToolCall>();
  /** What the model said last; how the run ended repeats it, if it is the result. */
  #lastWords: string | undefined;

  constructor(space: StepSpace) {
    this.#space = space;
  }

  lines(entry: JournalEntry): string[] {
    const held = this.#lastWords ?? "";
    this.#lastWords = undefined;
    if (entry.type === "ended") return entry.end.result?.output.trim() === held ? [] : this.#prose(held);
    return [...this.#prose(held), ...this.#linesOf(entry)];
  }

  /** What the model said last, which was held back. */
  held(): string[] {
    const held = this.#lastWords ?? "";
    this.#lastWords = undefined;
    return this.#prose(held);
  }

  #linesOf(entry: Exclude<JournalEntry, { type: "ended" }>): string[] {
    const { paint } = this.#space;
    switch (entry.type) {
      case "plan":
        return [this.#heading(entry.plan)];
      case "started":
        return entry.epoch > 1 ? [paint("yellow", `↻ resumed after a restart (attempt ${entry.epoch})`)] : [];
      case "answer":
        return this.#answer(entry);
      case "failure":
        return [paint("yellow", `↻ retrying: ${oneLine(entry.reason)}`)];
      case "waiting":
        return [paint("yellow", `⏸ ${oneLine(activityWithHint(activityOf(entry), this.#space.calledAs))}`)];
      case "resumed":
        return [paint("yellow", "▶ resumed")];
      case "permit":
        return [];
      case "hook":
        return entry.outcome === "allowed" ? [] : [paint("yellow", oneLine(hookLine(entry)))];
      case "result":
        return this.#result(entry);
      case "message":
        return [paint("yellow", wrapProse(`${entry.from}: ${manyLines(entry.text)}`, this.#space.width))];
      case "summary":
        return [paint("dim", "earlier turns were summarized")];
    }
  }

  #heading({ runId, roleId, projectId, taskId, model, title }: RunPlan): string {
    const { paint, width } = this.#space;
    const place = oneLine(`${roleId} on ${projectId}/${taskId}: ${title}`);
    const heading = `${paint("bold", runId)}  ${place}`;
    const means = paint("dim", `${oneLine(model.value)}, ${oneLine(model.because)}`);
    return wrapProse(`${heading}\n${means}`, width);
  }

  #answer({ text, calls = [], thinking = [] }: Entry<"answer">): string[] {
    for (const call of calls) this.#open.set(call.id, call);
    const thoughts = this.#space.full ? thinking.flatMap((thought) => this.#thought(thought)) : [];
    if (calls.length > 0) return [...thoughts, ...this.#prose(text.trim())];
    this.#lastWords = text.trim();
    return thoughts;
  }

  #thought({ text }: Thought): string[] {
    return text.trim() === ""
      ? []
      : [this.#space.paint("dim", agentWords(text.trim(), { ...this.#space, paint: plain }))];
  }

  #result({ id, name, output, failed, ms = 0 }: Entry<"result">): string[] {
    const { paint, width, full, most } = this.#space;
    const call = this.#open.get(id);
    this.#open.delete(id);
    const what = callText(name, call?.input ?? "");
    const sign = failed ? "✗" : "✓";
    const took = ms < SHORTEST_TOLD_MS ? "" : durationText(ms);
    const gist = full ? "" : gistOf(output, failed === true);
    const line = fitText(
      [`${sign} ${what}`, took, gist].filter((part) => part !== "").join(" · "),
      width ?? (most === undefined ? Number.POSITIVE_INFINITY : LONGEST_LINE),
    );
    const whole = full ? [indented(manyLines(output.trimEnd()))] : [];
    return [paint(failed ? "red" : "cyan", line), ...whole.map((text) => paint("dim", text))];
  }

  #prose(text: string): string[] {
    return text === "" ? [] : agentExcerpt(text, this.#space);
  }
}

/** One line stands for itself; of several, only a failure's first one tells something by itself. */
function gistOf(output: string, failed: boolean): string {
  const lines = output.trim().split("\n");
  const [first = ""] = lines;
  if (lines.length === 1) return oneLine(first);
  return failed ? `${oneLine(first)} …` : `${lines.length} lines`;
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

function hookLine({ event, name, outcome, text = "" }: Entry<"hook">): string {
  return `${event} hook ${name} ${outcome === "refused" ? "refused" : "failed"}${text === "" ? "" : `: ${text}`}`;
}
