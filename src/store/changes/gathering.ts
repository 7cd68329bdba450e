import type { Append, Committed } from "./change.ts";
import type { PreparedWrite } from "./prepared.ts";

/**
 * How long changes that are ready wait for the others. They hold locks meanwhile, which one of the others may be waiting
 * for; those that have waited so long are made durable by themselves.
 */
const LONGEST_WAIT_MS = 50;

/** A change that is ready to be logged. Resolves or rejects `committed` in the order of the log. */
export class ReadyChange {
  readonly prepared: PreparedWrite[] = [];
  readonly lines: () => Append[];
  readonly committed: Promise<Committed>;
  resolve: (committed: Committed) => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;

  constructor(lines: () => Append[]) {
    this.lines = lines;
    this.committed = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.committed.catch(() => undefined);
  }
}

interface Waiting {
  change: ReadyChange;
  /** Logs it by itself. */
  goAlone: () => void;
}

/** What was gathered is not wanted any more. */
export class Abandoned extends Error {}

/** How a change becomes durable with others: as one of them, or as the last. */
export type Gathered = Member | Gathering;

/** One piece of work whose change is to be logged with others. */
export class Member {
  readonly #gathering: Gathering;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  /** False when the others are logged, or are waited for no longer: then the change is made durable by itself. */
  arrive(change: ReadyChange, goAlone: () => void): boolean {
    return this.#gathering.arrive(this, { change, goAlone });
  }
}

/**
 * Changes that become durable as one line of the log, although each is made where its rules are. Every piece of work joins
 * with `join`; the last change is committed with the gathering itself, and takes along all that have arrived by then. What
 * is refused, or disturbed by a person's edit, fails by itself; the last change comes after all others, whatever happens.
 */
export class Gathering {
  /** What has joined and has not ended, and the change with which it waits, if it does. */
  readonly #members = new Map<Member, Waiting | undefined>();
  #isOpen = true;
  #isHeld: boolean;
  #isAbandoned = false;
  #failure: { error: unknown } | undefined;
  #onStep: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `isHeld`: nothing of it may be logged before it is released; whoever holds it for too long must abandon it. */
  constructor({ isHeld = false } = {}) {
    this.#isHeld = isHeld;
  }

  join<Result>(work: (member: Member) => Promise<Result>): Promise<Result> {
    const member = new Member(this);
    this.#members.set(member, undefined);
    const result = work(member);
    result.then(
      () => this.#leave(member),
      (error) => {
        this.#failure ??= { error };
        this.#leave(member);
      },
    );
    return result;
  }

  arrive(member: Member, waiting: Waiting): boolean {
    if (this.#isAbandoned) waiting.change.reject(new Abandoned());
    if (!this.#isOpen) return this.#isAbandoned;
    this.#members.set(member, waiting);
    if (!this.#isHeld) this.#limit();
    this.#onStep?.();
    return true;
  }

  /** Resolves when every member is ready or has ended. Rejects when one has failed: nothing may follow then. */
  async complete(): Promise<void> {
    while (this.#failure === undefined && !this.#isComplete)
      await new Promise<void>((resolve) => {
        this.#onStep = resolve;
      });
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** The changes that wait, for the log, if nobody else is still to come; undefined otherwise. One that is disturbed is told so, and comes again. */
  take(): ReadyChange[] | undefined {
    if (!this.#isComplete || this.#failure !== undefined) return undefined;
    let isDisturbed = false;
    for (const [member, waiting] of this.#members) {
      try {
        for (const one of waiting?.change.prepared ?? []) one.check();
      } catch (error) {
        isDisturbed = true;
        this.#members.set(member, undefined);
        waiting?.change.reject(error);
      }
    }
    if (isDisturbed) return undefined;
    return this.#close().map(({ change }) => change);
  }

  /** Whoever waits goes alone, and so does whoever comes from now on. */
  end(): void {
    for (const { goAlone } of this.#close()) goAlone();
  }

  /** From now on it is like any other. */
  release(): void {
    this.#isHeld = false;
    if (this.waiting.length > 0) this.#limit();
  }

  /** Nothing of it is logged, whoever waits and whoever comes. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#failure ??= { error: new Abandoned() };
    for (const { change } of this.#close()) change.reject(new Abandoned());
    this.#onStep?.();
  }

  get waiting(): ReadyChange[] {
    return [...this.#members.values()].flatMap((waiting) => (waiting === undefined ? [] : [waiting.change]));
  }

  #limit(): void {
    if (this.#isOpen) this.#timer ??= setTimeout(() => this.end(), LONGEST_WAIT_MS);
  }

  #close(): Waiting[] {
    const left = [...this.#members.values()].filter((waiting) => waiting !== undefined);
    this.#isOpen = false;
    clearTimeout(this.#timer);
    for (const member of this.#members.keys()) this.#members.set(member, undefined);
    return left;
  }

  get #isComplete(): boolean {
    return [...this.#members.values()].every((waiting) => waiting !== undefined);
  }

  #leave(member: Member): void {
    this.#members.delete(member);
    this.#onStep?.();
  }
}
