import { ChangedMeanwhile } from "../files/draft-file.ts";
import type { Files } from "../files/files.ts";
import type { Stamp } from "../files/regular-file.ts";
import type { Committed } from "./change.ts";
import type { PreparedWrite } from "./prepared.ts";
import { appendLines } from "./prepared-write.ts";

/** A change that is in the log. `own`: how many of its writes are the change itself; the rest only tell of it. */
export interface Logged {
  prepared: readonly PreparedWrite[];
  own: number;
}

/** What the disk refused, to be tried again. What comes after it in the same file waits with it, so that lines keep their order. */
export interface Waiting {
  isWaiting(path: string): boolean;
  refuse(write: PreparedWrite): unknown;
}

interface Outcome extends Committed {
  stamps: Map<string, Stamp>;
  ends: Map<string, number>;
}

interface Step {
  one: PreparedWrite;
  outcome: Outcome;
  isOwn: boolean;
}

/**
 * Puts changes into the files, in the order of the log; nothing is awaited. Lines for the same file are written at once, after
 * the documents before them, but before anything is moved.
 */
export function applyLogged(files: Files, changes: readonly Logged[], waiting: Waiting): Committed[] {
  const lines = new Map<string, Step[]>();
  const refuse = ({ one, outcome, isOwn }: Step, error?: unknown) => {
    if (error instanceof ChangedMeanwhile) {
      if (outcome.state === "applied") outcome.state = "overtaken";
      return;
    }
    // Lines that only tell of the change may reach their file later.
    if (isOwn) outcome.state = "waiting";
    waiting.refuse(one);
  };
  const writeLines = () => {
    for (const [path, steps] of lines) {
      if (waiting.isWaiting(path)) {
        for (const step of steps) refuse(step);
        continue;
      }
      try {
        const ends = twice(() =>
          appendLines(
            files,
            path,
            steps.map(({ one }) => one.bytes ?? Buffer.alloc(0)),
          ),
        );
        for (const [at, { outcome }] of steps.entries()) {
          const end = ends[at];
          if (end !== undefined) outcome.ends.set(path, end);
        }
      } catch (error) {
        for (const step of steps) refuse(step, error);
      }
    }
    lines.clear();
  };
  const outcomes = changes.map(({ prepared, own }) => {
    const outcome: Outcome = { state: "applied", stamps: new Map(), ends: new Map() };
    for (const [at, one] of prepared.entries()) {
      const { write } = one;
      const step = { one, outcome, isOwn: at < own };
      if (write.kind === "append") lines.set(write.path, [...(lines.get(write.path) ?? []), step]);
      else {
        if (write.kind === "move" || write.kind === "tree") writeLines();
        if (waiting.isWaiting(write.path)) {
          refuse(step);
          continue;
        }
        try {
          const { stamp } = twice(() => one.apply());
          const place = (write.kind === "put" ? write.to : undefined) ?? write.path;
          if (stamp !== undefined) outcome.stamps.set(place, stamp);
        } catch (error) {
          refuse(step, error);
        }
      }
    }
    return outcome;
  });
  writeLines();
  return outcomes;
}

/** A fault of a moment is not worth a word. */
function twice<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ChangedMeanwhile) throw error;
    return work();
  }
}
