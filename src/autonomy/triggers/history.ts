import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../contract/backoff.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Write } from "../../store/changes/change.ts";
import { lineText } from "../../store/logs/durable-line.ts";
import { takeLines } from "../../store/logs/whole-log.ts";
import { type Core, commit, keep } from "../../workspace/core.ts";
import { DURABLE_FOLDER } from "../../workspace/layout.ts";
import { emptyState, fold, TriggerLine, type TriggerState } from "./trigger-state.ts";

const FOLDER = `${DURABLE_FOLDER}/triggers`;
/** Lines of a file before it is rewritten with what is still needed. */
const MOST_LINES = 5_000;
const RETRY = { firstMs: 500, longestMs: 30_000 };

interface Held {
  state: TriggerState;
  lines: number;
  problem?: Problem | undefined;
}

type HistoryCore = Pick<Core, "files" | "clock" | "events" | "shown" | "recovered" | "compareSoon" | "locks">;

interface Parts {
  core: HistoryCore;
  onTrouble: (what: string, error: unknown) => void;
}

/** What becomes durable with lines. */
interface Beside {
  events?: readonly EventDraft[];
  also?: readonly Write[];
}

export function historyFile(name: string): string {
  return `${FOLDER}/${name}.jsonl`;
}

/** What the files that a trigger waits for were when it looked last. */
export function seenFile(name: string): string {
  return `${FOLDER}/${name}.files.json`;
}

/** What triggers did, durably: one file of lines for each. */
export class TriggerHistory {
  readonly #parts: Parts;
  readonly #held = new Map<string, Held>();
  readonly #closing = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Read when it is first asked for. */
  of(name: string): TriggerState {
    return this.#heldOf(name).state;
  }

  problemOf(name: string): Problem | undefined {
    return this.#heldOf(name).problem;
  }

  /** A trigger of this name begins without a past. */
  forget(name: string): void {
    this.#held.delete(name);
  }

  close(): void {
    this.#closing.abort();
  }

  /** Durable when it resolves. The same lines are written until the disk takes them; rejects when the daemon stops. */
  async append(name: string, lines: readonly TriggerLine[], beside: Beside = {}): Promise<void> {
    for (let failures = 1; ; failures++)
      try {
        return await this.tryAppend(name, lines, beside);
      } catch (error) {
        if (this.#closing.signal.aborted) throw error;
        this.#parts.onTrouble(`the history of the trigger '${name}' could not be written; retrying`, error);
        const pause = backoffMs(RETRY, failures, Math.random);
        await delay(pause, undefined, { signal: this.#closing.signal, ref: false });
      }
  }

  /** As `append`, once. After a failure that may have left it all the same, it is completed later. */
  async tryAppend(name: string, lines: readonly TriggerLine[], { events = [], also = [] }: Beside = {}): Promise<void> {
    if (lines.length === 0) return;
    const { core } = this.#parts;
    const held = this.#heldOf(name);
    if (held.problem !== undefined)
      throw new HallError("file_invalid", held.problem.reason, { file: held.problem.file });
    const path = historyFile(name);
    if (!core.files.exists(FOLDER)) await core.files.ensureFolder(FOLDER);
    const appends = lines.map((line) => ({ kind: "append" as const, path, line: lineText(line) }));
    const writes = [...appends, ...also];
    if (events.length === 0) await keep(core, writes);
    else await commit(core, events, () => undefined, writes);
    for (const line of lines) fold(held.state, line);
    held.lines += lines.length;
    if (held.lines > MOST_LINES) await this.#rewrite(name, held);
  }

  /** Only under the lock of the trigger, like every change of its history. */
  async #rewrite(name: string, held: Held): Promise<void> {
    const { core, onTrouble } = this.#parts;
    const lines = linesOf(held.state, core.clock().toISOString());
    const content = lines.map((line) => `${lineText(line)}\n`).join("");
    try {
      await keep(core, [{ kind: "put", path: historyFile(name), content }]);
      held.lines = lines.length;
    } catch (error) {
      onTrouble(`the history of the trigger '${name}' could not be shortened`, error);
      held.lines = Math.floor(MOST_LINES / 2);
    }
  }

  #heldOf(name: string): Held {
    const known = this.#held.get(name) ?? this.#read(name);
    this.#held.set(name, known);
    return known;
  }

  #read(name: string): Held {
    const { files } = this.#parts.core;
    const path = historyFile(name);
    const state = emptyState();
    let lines = 0;
    const fault = takeLines(files, path, {
      schema: TriggerLine,
      take: (line) => {
        fold(state, line);
        lines++;
      },
    });
    if (fault === undefined) return { state, lines };
    const reason = `${fault.reason}. The trigger does not fire until the file is fixed, or deleted`;
    return { state, lines, problem: { file: path, line: fault.line, kind: "document", severity: "invalid", reason } };
  }
}

/** The shortest history with the same state. */
export function linesOf(state: TriggerState, at: string): TriggerLine[] {
  const { since, source, through, keys, held, mark, firings, skips } = state;
  const fired = state.fired.map(({ after, to }): [number, number] => [after, to]);
  const hasPassed = Number.isFinite(through);
  return [
    ...(since === undefined || source === undefined
      ? []
      : [{ type: "began" as const, at: new Date(since).toISOString(), source }]),
    ...skips.map((skip) => ({ type: "skipped" as const, ...skip })),
    ...firings.flatMap(({ started, endedAt, outcome, skipped, text, ...claim }): TriggerLine[] => [
      claim,
      ...(started === undefined ? [] : [{ type: "started" as const, at: claim.at, id: claim.id, started }]),
      ...(endedAt === undefined
        ? []
        : [
            {
              ...{ type: "ended" as const, at: endedAt, id: claim.id },
              ...(outcome === undefined ? {} : { outcome }),
              ...(skipped === undefined ? {} : { skipped }),
              ...(text === undefined ? {} : { text }),
            },
          ]),
    ]),
    { type: "known", at, keys: [...keys], ...(hasPassed ? { through: new Date(through).toISOString() } : {}), fired },
    ...(held === undefined
      ? []
      : [{ type: "held" as const, at: new Date(held.since).toISOString(), reason: held.reason }]),
    ...(mark === undefined ? [] : [{ type: "seen" as const, at, mark }]),
  ];
}
