import { z } from "zod";
import { Actor } from "../event.ts";
import { Delivery, Discard } from "./delivery.ts";
import { Run, RunReflection } from "./run.ts";
import { LaterAnswer, Parked } from "./waiting.ts";

/** Who asked for a run, and under which Idempotency-Key. */
const Asker = z.strictObject({
  actor: Actor,
  request: z.strictObject({ key: z.string(), fingerprint: z.string() }).optional(),
});
export type Asker = z.infer<typeof Asker>;

const Verdict = z.strictObject({
  verdict: z.enum(["approved", "rejected", "reverted", "discarded", "restored"]),
  /** As it is afterwards. */
  delivery: Delivery,
  /** Of the diff that was approved. */
  hash: z.string().optional(),
  feedback: z.string().optional(),
  /** What was undone, of a restored result. */
  discard: Discard.optional(),
});
export type Verdict = z.infer<typeof Verdict>;

const ofRun = { runId: z.string(), at: z.string() };

/** The lines of a project's runs/index.jsonl. The daemon alone writes them. */
export const BookLine = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("created"),
    run: Run,
    journal: z.string(),
    callId: z.string().optional(),
    by: Asker,
    /** Clients that had it done beside `by`: they started its team, or the run whose result it continues. */
    clients: z.array(z.string()).optional(),
  }),
  /** The scheduler gave the run to a process; `epoch` grows with every time. */
  z.strictObject({ type: z.literal("leased"), epoch: z.number(), ...ofRun }),
  /** The process that carried the run out died. */
  z.strictObject({ type: z.literal("crashed"), epoch: z.number(), cause: z.string(), ...ofRun }),
  /** A person said something to the run, or whoever `from` names; it reaches the model with its next turn. */
  z.strictObject({
    type: z.literal("message"),
    id: z.string(),
    text: z.string(),
    from: z.enum(["hall", "team"]).optional(),
    ...ofRun,
  }),
  /** It was given another model, from its next turn on. */
  z.strictObject({ type: z.literal("model"), model: z.string(), ...ofRun }),
  /** The agent has something to tell the person. */
  z.strictObject({ type: z.literal("notified"), callId: z.string(), text: z.string(), ...ofRun }),
  /** Someone wants the run to end, the hall itself where nobody is named; whatever happens from here on, it does not go on. */
  z.strictObject({ type: z.literal("cancelling"), reason: z.string(), by: Actor.optional(), ...ofRun }),
  /** It waits, and no process has it until it goes on. */
  z.strictObject({ type: z.literal("waiting"), parked: Parked, ...ofRun }),
  /** It goes on. `answer`: what it waited for, of a call. */
  z.strictObject({
    type: z.literal("resumed"),
    callId: z.string().optional(),
    answer: LaterAnswer.optional(),
    ...ofRun,
  }),
  z.strictObject({ type: z.literal("settled"), run: Run, epoch: z.number() }),
  /** It was looked back on. */
  z.strictObject({ type: z.literal("reflected"), runId: z.string(), reflection: RunReflection }),
  /** What keeps its branch from being merged is something else than before. */
  z.strictObject({ type: z.literal("hindered"), delivery: Delivery, ...ofRun }),
  /** Its task was started again while its result waited for review. */
  z.strictObject({ type: z.literal("superseded"), delivery: Delivery, ...ofRun }),
  /** The run that was to continue its result ended before it changed anything: the result waits for review again. */
  z.strictObject({ type: z.literal("returned"), from: z.string(), delivery: Delivery, ...ofRun }),
  /** The quality gates judged its result after it was over, or judge it once more; or a person gave it up. */
  z.strictObject({ type: z.literal("judged"), delivery: Delivery, ...ofRun }),
  /** A person decided about its result. */
  z.strictObject({ type: z.literal("reviewed"), by: Asker, ...ofRun, ...Verdict.shape }),
]);
export type BookLine = z.infer<typeof BookLine>;
