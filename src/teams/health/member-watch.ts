import { journalLines } from "../../agent/journal-entries.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import { HEALTH_LIMITS } from "../../contract/words/teams/health-words.ts";
import type { Core } from "../../workspace/core.ts";
import { alikeOf, type SeenCall } from "./health-rules.ts";

type Files = Pick<Core["files"], "stamp" | "scanLog">;

interface Watched {
  teamId: string;
  member: string;
  runId: string;
  journal: string;
  now: number;
}

/** Of a journal that is long already, only its end is read. */
const MOST_READ = 1024 * 1024;

/** What one run of a member did lately, by its journal. Each look reads only what is new. */
export class MemberWatch {
  readonly teamId: string;
  readonly member: string;
  readonly runId: string;
  readonly #journal: string;
  readonly #open = new Map<string, { tool: string; input: string }>();
  #calls: SeenCall[] = [];
  #read: number | undefined;
  /** The last sign of life, in milliseconds of a clock that never jumps. What was before it is first seen does not count. */
  activeAt: number;

  constructor({ teamId, member, runId, journal, now }: Watched) {
    this.teamId = teamId;
    this.member = member;
    this.runId = runId;
    this.#journal = journal;
    this.activeAt = now;
  }

  /** The last ones, the newest last. */
  get calls(): readonly SeenCall[] {
    return this.#calls;
  }

  /** Time limit of the command under way, in seconds. */
  get commandSeconds(): number | undefined {
    for (const { tool, input } of this.#open.values()) if (tool === "exec") return secondsIn(input);
    return undefined;
  }

  look(files: Files): void {
    const size = files.stamp(this.#journal)?.size ?? 0;
    const from = this.#read ?? Math.max(0, size - MOST_READ);
    if (size <= from) return;
    const read = journalLines(files, this.#journal);
    files.scanLog(this.#journal, from, (text, offset) => {
      this.#read = offset + Buffer.byteLength(text) + 1;
      const entry = read(text);
      if (entry !== undefined) this.#add(entry);
      return true;
    });
  }

  #add(entry: JournalEntry): void {
    if (entry.type === "answer") {
      this.#open.clear();
      for (const { id, name: tool, input } of entry.calls ?? []) this.#open.set(id, { tool, input });
    } else if (entry.type === "result") {
      const { id, name: tool, failed = false, files = [] } = entry;
      const alike = alikeOf(tool, this.#open.get(id)?.input ?? "");
      this.#open.delete(id);
      this.#calls = [...this.#calls, { id, tool, alike, failed, changed: files.length > 0 && !failed }];
      this.#calls = this.#calls.slice(-HEALTH_LIMITS.calls);
    }
  }
}

function secondsIn(input: string): number | undefined {
  try {
    const { timeoutSeconds } = JSON.parse(input) as { timeoutSeconds?: unknown };
    return typeof timeoutSeconds === "number" ? timeoutSeconds : undefined;
  } catch {
    return undefined;
  }
}
