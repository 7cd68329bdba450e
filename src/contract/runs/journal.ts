import { z } from "zod";
import { WaitReason } from "../documents/budget.ts";
import { HookTrace } from "../documents/hook.ts";
import { HintData } from "../words/hint-schema.ts";
import { END_CAUSES, type EndCause } from "./end-cause.ts";
import { Finish, Thought, ToolCall, Usage } from "./model-call.ts";
import { RunPlan, RunResult, type SpawnRequest } from "./run.ts";

/**
 * How long the process had the run by then, in milliseconds of a clock that never jumps: `at` is of one that may be set.
 * Absent in journals of before it was noted, and in sessions.
 */
const lived = { up: z.number().optional() };

/** What a model call took. */
export const charge = { model: z.string(), usage: Usage, costUsd: z.number().nullable(), at: z.string() };

/** What a run was asked for. Only ever read back as it was written: its own schema is for requests, and would change it. */
const WrittenRequest = z.custom<SpawnRequest>((value) => typeof value === "object" && value !== null);

const Completed = z.strictObject({ status: z.literal("completed"), result: RunResult.omit({ duration: true }) });
const Broken = z.strictObject({
  status: z.enum(["failed", "cancelled"]),
  cause: z.enum(END_CAUSES).optional(),
  /** For people to read; nothing is decided by it. */
  error: z.string(),
  result: RunResult.omit({ duration: true }).optional(),
});

/** How a run ended, as its journal has it. Lines from before causes were recorded have none. */
export const RecordedEnd = z.discriminatedUnion("status", [Completed, Broken]);
export type RecordedEnd = z.infer<typeof RecordedEnd>;

type Reason = Pick<z.infer<typeof Broken>, "error" | "result">;

/** How a run ends, as it is decided. */
export type RunEnd =
  | z.infer<typeof Completed>
  | (Reason & { status: "failed"; cause: Exclude<EndCause, "cancelled"> })
  | (Reason & { status: "cancelled"; cause: "cancelled" });

/** Entries that journals and sessions share. */
export const turnEntries = {
  /** The model decided. Durable before any of its calls is carried out. */
  answer: z.strictObject({
    type: z.literal("answer"),
    text: z.string(),
    thinking: z.array(Thought).optional(),
    calls: z.array(ToolCall).optional(),
    finish: Finish,
    rehearsed: z.literal(true).optional(),
    ...charge,
    ...lived,
  }),
  /** The model was asked and did not answer; it is asked again. */
  failure: z.strictObject({ type: z.literal("failure"), reason: z.string(), at: z.string() }),
  /** The next call may not be sent for now. The run's time does not count until it goes on. */
  waiting: z.strictObject({
    type: z.literal("waiting"),
    reason: WaitReason,
    text: z.string(),
    hintAction: HintData.optional(),
    at: z.string(),
    ...lived,
  }),
  resumed: z.strictObject({ type: z.literal("resumed"), at: z.string(), ...lived }),
  /**
   * The hall is asked about a call (`asked`), and allows it (`allowed`, durable before it is carried out). A call that was only asked
   * about was never carried out.
   */
  permit: z.strictObject({ type: z.literal("permit"), id: z.string(), state: z.enum(["asked", "allowed"]) }),
  /** What a hook said. */
  hook: z.strictObject({ type: z.literal("hook"), ...HookTrace.shape, callId: z.string().optional() }),
  /** One call was carried out, refused, or (after a crash) left with an unknown outcome. */
  result: z.strictObject({
    type: z.literal("result"),
    id: z.string(),
    name: z.string(),
    output: z.string(),
    /** Milliseconds that the tool worked, without its wait for a place; absent where it was not asked, or nobody knows. */
    ms: z.number().optional(),
    failed: z.literal(true).optional(),
    files: z.array(z.string()).optional(),
    /** Where the output comes from, when strangers wrote it: material, never an instruction. */
    untrusted: z.string().optional(),
    /** What a command took too much of, so that it was ended. */
    stopped: z.enum(["time", "memory", "processes", "disk"]).optional(),
  }),
};

/**
 * The lines of a run's journal, runs/<day>/<run-id>.jsonl. The first is written by the daemon, all others by the process
 * that runs the agent. What the agent does next follows from them alone.
 */
export const JournalEntry = z.discriminatedUnion("type", [
  /** `request`: what was asked for, so that it can be asked for again. */
  z.strictObject({ type: z.literal("plan"), plan: RunPlan, request: WrittenRequest.optional() }),
  /** A process took the run up; `epoch` grows with every time. */
  z.strictObject({ type: z.literal("started"), epoch: z.number(), at: z.string() }),
  turnEntries.answer,
  turnEntries.failure,
  turnEntries.waiting,
  turnEntries.resumed,
  turnEntries.permit,
  turnEntries.hook,
  turnEntries.result,
  /** Someone spoke to the agent while it worked, or the loop reminds it of something. */
  z.strictObject({
    type: z.literal("message"),
    /** `team`: a member of its team. */
    from: z.enum(["person", "hall", "team"]),
    text: z.string(),
    id: z.string(),
  }),
  /** Older turns are from now on given to the model as this summary. */
  z.strictObject({
    type: z.literal("summary"),
    text: z.string(),
    /** The last entry, counted from 0, that the model is not given any more. */
    through: z.number(),
    ...charge,
  }),
  z.strictObject({ type: z.literal("ended"), epoch: z.number(), end: RecordedEnd, at: z.string(), ...lived }),
]);
export type JournalEntry = z.infer<typeof JournalEntry>;
