import type { Problem } from "../../contract/problem.ts";
import { BookLine } from "../../contract/runs/run-book.ts";
import type { Files } from "../../store/files/files.ts";
import { parseLine } from "../../store/logs/log-reader.ts";
import { describeIssue } from "../../workspace/hall/issues.ts";
import { bookPath } from "../../workspace/layout.ts";

/** More of one book are counted, not listed. */
const MOST_TOLD = 20;

/** Lines of a project's book that cannot be read; the others count. */
export class BrokenLines {
  readonly #files: Pick<Files, "scanLog">;
  readonly #projectId: string;
  readonly #told = new Map<number, string>();
  #count = 0;

  constructor(files: Pick<Files, "scanLog">, projectId: string) {
    this.#files = files;
    this.#projectId = projectId;
  }

  add(text: string, offset: number): void {
    this.#count++;
    if (this.#told.size < MOST_TOLD) this.#told.set(offset, reasonOf(text));
  }

  problems(): Problem[] {
    const lines = this.#lineNumbers();
    const more = this.#count - this.#told.size;
    return [...this.#told].map(([offset, reason], at) => {
      const others = more > 0 && at === MOST_TOLD - 1 ? `; ${more} more lines of this file are invalid` : "";
      const line = lines.get(offset);
      return {
        file: bookPath(this.#projectId),
        kind: "log" as const,
        projectId: this.#projectId,
        id: `line ${line}`,
        ...(line === undefined ? {} : { line }),
        severity: "invalid" as const,
        reason: `this line of the run record is ignored: ${reason}; restore it from a backup or delete it, then restart the daemon${others}`,
      };
    });
  }

  /** Counted only now: whole books are read from where the index stopped, and broken lines are rare. */
  #lineNumbers(): Map<number, number> {
    const numbers = new Map<number, number>();
    if (this.#told.size === 0) return numbers;
    let line = 0;
    this.#files.scanLog(bookPath(this.#projectId), 0, (_, offset) => {
      line++;
      if (this.#told.has(offset)) numbers.set(offset, line);
      return numbers.size < this.#told.size;
    });
    return numbers;
  }
}

/** Without what the line holds, which may be anything. */
function reasonOf(text: string): string {
  const value = parseLine(Buffer.from(text));
  if (value === undefined) return "it is not a JSON object";
  const { error } = BookLine.safeParse(value);
  return error === undefined ? "it has an invalid format" : describeIssue(error).reason;
}
