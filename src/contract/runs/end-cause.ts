/**
 * Why a run ended without completing its task. Decided where the end is decided; the error beside it is for people to read.
 * Apart from the schemas, so that pages can load it without them.
 */
export const END_CAUSES = [
  /** Limits of the run: turns, tokens, time, identical calls in a row. */
  "turns",
  "tokens",
  "time",
  "repeats",
  /** Hooks, or the person, refused its calls again and again, or all of them. */
  "calls_refused",
  /** A hook refused its result again and again. */
  "result_refused",
  /** It was to hand in a spec, a plan, a report or a check for its team, and ended without. */
  "nothing_submitted",
  /** What the model did: its answers were cut off again and again, it said and did nothing, it refused. */
  "length",
  "silent",
  "refused",
  /** The conversation does not fit into the model's context window. */
  "context",
  /** A budget has no room. */
  "budget",
  /** What the provider said, or that it could not be reached. `provider`: any other failure of it. */
  "quota",
  "key",
  "model",
  "provider",
  "network",
  /** What the run works in: the working folder, its git repository, the commands that prepare its worktree, the project, the task. */
  "folder",
  "repository",
  "setup",
  "project",
  "task",
  /** Its journal is damaged. */
  "journal",
  /** Its process ran out of memory, or crashed, again and again. */
  "memory",
  "crashed",
  /** A defect in Guildhall. */
  "internal",
  /** It was stopped. */
  "cancelled",
] as const;
export type EndCause = (typeof END_CAUSES)[number];
