import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Context } from "../context.ts";
import type { Sink } from "../host.ts";
import { commandFor } from "../http/connection.ts";
import { oneLine } from "../text/plain-text.ts";
import { type Live, RunGlance } from "./run-glance.ts";
import { RunSteps } from "./run-steps.ts";

const ERASE = "\r\u001b[2K";
const USUAL_COLUMNS = 80;

export interface ViewChoice {
  /** Nothing is shown but how it ends. */
  quiet?: boolean;
  full?: boolean;
  /** Only what is already there, so that no line moves. */
  still?: boolean;
}

/** What is seen of a run: its finished steps and, on a terminal, what it is doing now. */
export class RunView {
  readonly #context: Context;
  readonly #quiet: boolean;
  readonly #steps: RunSteps;
  readonly #glance = new RunGlance();
  readonly #line: LiveLine | undefined;
  #asked = "";

  constructor(context: Context, { quiet = false, full = false, still = false }: ViewChoice = {}) {
    const { output, host } = context;
    this.#context = context;
    this.#quiet = quiet;
    this.#steps = new RunSteps({ paint: output.paint, width: output.width, calledAs: output.calledAs, full });
    const moves = host.out.isTerminal && host.env.TERM !== "dumb" && !output.json && !quiet && !still;
    this.#line = moves ? new LiveLine(host.out) : undefined;
  }

  took(entry: JournalEntry): void {
    const { output } = this.#context;
    this.#glance.took(entry);
    if (this.#quiet) return;
    if (output.json) {
      output.row(entry, () => "");
      return;
    }
    const lines = this.#steps.lines(entry);
    if (lines.length === 0) return;
    this.#line?.clear();
    for (const line of lines) output.row(entry, () => line);
    this.draw();
  }

  /** The daemon does not answer. */
  lose(): void {
    this.#glance.lose();
  }

  hear(live: Live): void {
    this.#glance.hear(live);
    if (live.run !== undefined && !this.#quiet) this.#noteQuestion(live.run);
  }

  /** Nothing happens until it is answered, so a pipe says it too; once for each question. */
  #noteQuestion({ waitingFor, activity }: Run): void {
    const asked = waitingFor === "answer" && activity?.kind === "waiting" ? (activity.detail ?? "") : "";
    if (asked !== "" && asked !== this.#asked) {
      const { workspace, host } = this.#context;
      this.note(
        `Waiting for your answer: ${oneLine(asked)}\nAnswer with: ${commandFor("escalation answer", workspace, host)}`,
      );
    }
    this.#asked = asked;
  }

  draw(): void {
    const { host, output } = this.#context;
    const line = this.#line;
    line?.draw(this.#glance.line(host.time.now(), { width: line.width, paint: output.paint }));
  }

  /** Something beside the steps, on standard error. */
  note(text: string): void {
    const { output } = this.#context;
    this.clear();
    output.note(output.json ? JSON.stringify({ level: "info", message: text }) : text);
  }

  clear(): void {
    this.#line?.clear();
  }
}

/** The last line of a terminal, redrawn in place, while finished lines scroll away above it. */
class LiveLine {
  readonly #out: Sink;
  #shown = "";

  constructor(out: Sink) {
    this.#out = out;
  }

  /** One column stays free: a terminal that wraps the line would leave its first half behind. */
  get width(): number {
    return Math.max(1, (this.#out.columns ?? USUAL_COLUMNS) - 1);
  }

  draw(line: string): void {
    if (line === this.#shown) return;
    this.#out.write(`${ERASE}${line}`);
    this.#shown = line;
  }

  /** Takes the line away, so that something else can be written where it was. */
  clear(): void {
    if (this.#shown !== "") this.#out.write(ERASE);
    this.#shown = "";
  }
}
