import type { ModelWait } from "./budget.ts";
import type { EndCause } from "./end-cause.ts";
import type { Hint } from "./hint.ts";
import type { Finish, Thought, ToolCall, Usage } from "./model-call.ts";
import type { RunPlan, RunResult, SpawnRequest } from "./run.ts";

/**
 * How long the process had the run by then, in milliseconds of a clock that never jumps: `at` is of one that may be set.
 * Absent in journals of before it was noted, and in sessions.
 */
type Lived = { up?: number };

/**
 * The lines of a run's journal, runs/<day>/<run-id>.jsonl. The first is written by the daemon, all others by the process
 * that runs the agent. What the agent does next follows from them alone.
 */
export type JournalEntry =
  /** `request`: what was asked for, so that it can be asked for again. */
  | { type: "plan"; plan: RunPlan; request?: SpawnRequest | undefined }
  /** A process took the run up; `epoch` grows with every time. */
  | { type: "started"; epoch: number; at: string }
  /** The model decided. Durable before any of its calls is carried out. */
  | (Lived & {
      type: "answer";
      text: string;
      thinking?: Thought[];
      calls?: ToolCall[];
      finish: Finish;
      model: string;
      usage: Usage;
      costUsd: number | null;
      at: string;
    })
  /** The model was asked and did not answer; it is asked again. */
  | { type: "failure"; reason: string; at: string }
  /** The next call may not be sent for now. Time stands still until it goes on, or is taken up anew. */
  | (Lived & { type: "waiting"; reason: ModelWait["reason"]; text: string; hintAction?: Hint | undefined; at: string })
  | (Lived & { type: "resumed"; at: string })
  /** One call was carried out, refused, or (after a crash) left with an unknown outcome. */
  | {
      type: "result";
      id: string;
      name: string;
      output: string;
      /** Milliseconds that the tool was at work, without its wait for a place; none where it was not asked, or nobody knows. */
      ms?: number;
      failed?: true;
      files?: string[];
      /** Where the output comes from, when strangers wrote it: material, never an instruction. */
      untrusted?: string;
      /** What a command took too much of, so that it was ended. */
      stopped?: "time" | "memory" | "processes" | "disk";
    }
  /** Someone spoke to the agent while it worked, or the loop reminds it of something. */
  | { type: "message"; from: "person" | "hall"; text: string; id: string }
  /** Older turns are from now on given to the model as this summary. */
  | {
      type: "summary";
      text: string;
      /** The last entry, counted from 0, that the model is not given any more. */
      through: number;
      model: string;
      usage: Usage;
      costUsd: number | null;
      at: string;
    }
  | (Lived & { type: "ended"; epoch: number; end: RecordedEnd; at: string });

interface Completed {
  status: "completed";
  result: Omit<RunResult, "duration">;
}

interface Broken {
  /** For people to read; nothing is decided by it. */
  error: string;
  result?: Omit<RunResult, "duration">;
}

/** How a run ends, as it is decided. */
export type RunEnd =
  | Completed
  | (Broken & { status: "failed"; cause: Exclude<EndCause, "cancelled"> })
  | (Broken & { status: "cancelled"; cause: "cancelled" });

/** How a run ended, as its journal has it. Lines from before causes were recorded have none. */
export type RecordedEnd = Completed | (Broken & { status: "failed" | "cancelled"; cause?: EndCause });
