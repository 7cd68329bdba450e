import type { Run, RunAsker } from "../../contract/runs/run.ts";

/**
 * Writes down, for the agent that had the run started, how it ended; doing it again writes nothing more. Answers what has it
 * read by that agent, to be called when the end is known to everybody.
 */
export type TellAsker = (asker: RunAsker, run: Run) => Promise<() => void>;
