import type { Run, RunAsker } from "../../contract/runs/run.ts";

/**
 * Writes down, for the agent that had the run started, how it ended; doing it again writes nothing more. Answers what has it
 * read by that agent, to be called when the end is known to everybody.
 */
export type TellAsker = (asker: RunAsker, run: Run) => Promise<() => void>;

/** The agents that have runs started, and hear how these ended. */
export class RunAskers {
  readonly #tell: TellAsker[] = [];

  /** Before runs are taken up. */
  attach(tell: TellAsker): void {
    this.#tell.push(tell);
  }

  async tell(asker: RunAsker, run: Run): Promise<() => void> {
    const hand = await Promise.all(this.#tell.map((tell) => tell(asker, run)));
    return () => {
      for (const call of hand) call();
    };
  }
}
