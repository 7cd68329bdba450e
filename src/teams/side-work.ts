type Outcome<Result> = { result: Result } | { error: unknown };

interface Work<Result> {
  /** What it is about: another check, or another spec, needs another answer. */
  key: string;
  stop: AbortController;
  outcome?: Outcome<Result>;
}

/** What takes minutes runs beside a team's lock, so that the team can be stopped meanwhile. One piece of work for each team. */
export class SideWork<Result> {
  readonly #onDone: (teamId: string) => void;
  readonly #all = new Map<string, Work<Result>>();
  #isClosed = false;

  /** `onDone`: called when the work of a team has ended. Must not throw. */
  constructor(onDone: (teamId: string) => void) {
    this.#onDone = onDone;
  }

  /** What came of it; undefined while it is under way. Throws what it rejected with, once. */
  ask(teamId: string, key: string, begin: (signal: AbortSignal) => Promise<Result>): Result | undefined {
    const known = this.#all.get(teamId);
    if (known?.key !== key) {
      this.stop(teamId);
      if (!this.#isClosed) this.#begin(teamId, key, begin);
      return undefined;
    }
    if (known.outcome === undefined) return undefined;
    this.#all.delete(teamId);
    if ("error" in known.outcome) throw known.outcome.error;
    return known.outcome.result;
  }

  /** Nobody wants to know any more. */
  stop(teamId: string): void {
    this.#all.get(teamId)?.stop.abort();
    this.#all.delete(teamId);
  }

  close(): void {
    this.#isClosed = true;
    for (const teamId of [...this.#all.keys()]) this.stop(teamId);
  }

  #begin(teamId: string, key: string, begin: (signal: AbortSignal) => Promise<Result>): void {
    const work: Work<Result> = { key, stop: new AbortController() };
    this.#all.set(teamId, work);
    const settle = (outcome: Outcome<Result>) => {
      if (work.stop.signal.aborted) return;
      work.outcome = outcome;
      this.#onDone(teamId);
    };
    begin(work.stop.signal).then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    );
  }
}
