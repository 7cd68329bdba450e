import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Write } from "../../store/changes/change.ts";
import { lineText } from "../../store/logs/durable-line.ts";
import { takeLines } from "../../store/logs/whole-log.ts";
import { type Core, commit, keep } from "../../workspace/core.ts";
import { ORCHESTRATOR_FILE } from "../../workspace/layout.ts";
import { emptyState, fold, linesOf, OrchestratorLine, type OrchestratorState } from "./state.ts";

/** Lines before the file is rewritten with what is still needed. */
const MOST_LINES = 5_000;

interface More {
  events?: readonly EventDraft[];
  writes?: readonly Write[];
}

/** What the orchestrator did, durably. */
export class OrchestratorLog {
  readonly #core: Core;
  readonly state: OrchestratorState = emptyState();
  #lines = 0;
  #last: Promise<void> = Promise.resolve();
  #problem: Problem | undefined;

  constructor(core: Core) {
    this.#core = core;
    this.#read();
  }

  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Durable when it resolves. One after the other: a pause that comes while the file is rewritten is in it. */
  append(lines: readonly OrchestratorLine[], more: More = {}): Promise<void> {
    const work = this.#last.then(() => this.#append(lines, more));
    this.#last = work.catch(() => undefined);
    return work;
  }

  async #append(lines: readonly OrchestratorLine[], { events = [], writes = [] }: More): Promise<void> {
    if (this.#problem !== undefined)
      throw new HallError("file_invalid", this.#problem.reason, { file: ORCHESTRATOR_FILE });
    const appended = lines.map((line) => ({
      ...{ kind: "append" as const, path: ORCHESTRATOR_FILE },
      line: lineText(line),
    }));
    const all = [...appended, ...writes];
    if (events.length === 0) await keep(this.#core, all);
    else await commit(this.#core, events, () => undefined, all);
    for (const line of lines) fold(this.state, line);
    this.#lines += lines.length;
    if (this.#lines > MOST_LINES) await this.#rewrite();
  }

  async #rewrite(): Promise<void> {
    const lines = linesOf(this.state);
    const content = lines.map((line) => `${lineText(line)}\n`).join("");
    await keep(this.#core, [{ kind: "put", path: ORCHESTRATOR_FILE, content }]);
    this.#lines = lines.length;
  }

  #read(): void {
    const { files } = this.#core;
    const fault = takeLines(files, ORCHESTRATOR_FILE, {
      schema: OrchestratorLine,
      take: (line) => {
        fold(this.state, line);
        this.#lines++;
      },
    });
    if (fault === undefined) return;
    const reason = `${fault.reason}. The orchestrator starts nothing until the file is fixed, or deleted and the daemon restarted`;
    this.#problem = { file: ORCHESTRATOR_FILE, line: fault.line, kind: "document", severity: "invalid", reason };
  }
}
