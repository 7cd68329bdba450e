import { z } from "zod";
import { ModelWait } from "../documents/budget.ts";
import { TurnStep } from "../documents/channel.ts";
import { FetchRules } from "../documents/web.ts";
import { WorktreeOutfit } from "../documents/worktree.ts";
import { Fingerprints } from "../fingerprint.ts";
import { Activity } from "./activity.ts";
import { Guards } from "./guarding.ts";
import { RecordedEnd } from "./journal.ts";
import { Message, ModelAnswer, ModelFailureKind, ModelSettings, ToolSpec } from "./model-call.ts";
import { RunContext } from "./run.ts";
import { SessionMessage, TurnOutcome } from "./session.ts";
import { ToolSearch } from "./tool-search.ts";

const text = z.string();
const yes = z.literal(true);
/** Something that was said to a run; by the person, unless it says otherwise. */
const said = { id: text, text, from: z.enum(["hall", "team"]).optional() };

/**
 * What a project's process is ordered to do. Whatever either side says about it carries the id of the order; what is said
 * of an order that the daemon has taken from the process does not count.
 */
export const Order = z.discriminatedUnion("kind", [
  /** `messages`: everything that was said to the run so far; what its journal has already is not said again. */
  z.object({
    kind: z.literal("run"),
    id: text,
    runId: text,
    epoch: z.number(),
    journal: text,
    messages: z.array(z.object(said)),
    /** The call at which it was parked: neither it nor those behind it were carried out. */
    parkedAt: text.optional(),
    /** What the hall is asked about while it works. */
    guards: Guards.optional(),
    /** A `reflect` order may follow when it has completed its task. */
    mayReflect: yes.optional(),
    /** Where this run works, if not in the project's working folder. */
    workdir: text.optional(),
    /** What its commands have there besides. */
    outfit: WorktreeOutfit.optional(),
  }),
  /** Open the project's agent, for what is posted to it. */
  z.object({ kind: z.literal("session"), id: text }),
  /** Look back on the run of that order, which has ended as worth it. */
  z.object({ kind: z.literal("reflect"), id: text, on: text, tokens: z.number() }),
]);
export type Order = z.infer<typeof Order>;

export type OrderOf<Kind extends Order["kind"]> = Extract<Order, { kind: Kind }>;

const Reply = z.discriminatedUnion("ok", [
  z.object({ type: z.literal("reply"), requestId: text, ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ type: z.literal("reply"), requestId: text, ok: z.literal(false), message: text }),
]);

/**
 * What the daemon and a project's process say to each other. Neither side ever sends a key. Histories do not travel: a
 * model request names how many messages the daemon already has and brings only the new ones.
 */
export const ToProcess = z.discriminatedUnion("type", [
  /** `envFiles`: what the project names as its env files; the process reads them itself, to hide what they hold. */
  z.object({
    type: z.literal("init"),
    projectPath: text,
    workdir: text,
    toolSlots: z.number(),
    web: FetchRules,
    envFiles: z.array(text),
    /** Of the daemon's own secrets: the process hides them where it meets them, and cannot tell what they are. */
    fingerprints: Fingerprints,
    /** Of folders of programs, made lately by others: it need not repeat them. */
    searches: z.array(ToolSearch),
  }),
  /** The daemon has another secret: runs under way hide it too. */
  z.object({ type: z.literal("secrets"), fingerprints: Fingerprints }),
  z.object({ type: z.literal("order"), order: Order }),
  z.object({ type: z.literal("cancel"), orderId: text, reason: text }),
  /** Stop working on it and leave it as it is: another process has it. */
  z.object({ type: z.literal("let_go"), orderId: text }),
  z.object({ type: z.literal("message"), orderId: text, ...said }),
  /** What the hall is asked about from now on. */
  z.object({ type: z.literal("guards"), orderId: text, guards: Guards }),
  z.object({ type: z.literal("llm_response"), requestId: text, answer: ModelAnswer }),
  /** A try failed, and there will be another. */
  z.object({ type: z.literal("llm_retry"), requestId: text, reason: text }),
  /** The request may not be sent for now; without a wait, it may. */
  z.object({ type: z.literal("llm_wait"), requestId: text, wait: ModelWait.optional() }),
  z.object({
    type: z.literal("llm_error"),
    requestId: text,
    kind: z.enum([...ModelFailureKind.options, "resync"]),
    message: text,
  }),
  Reply,
  /** Something was said to the project's agent. Saying it again does no harm. */
  z.object({ type: z.literal("post"), message: SessionMessage }),
  /** End the answer that the project's agent is at. */
  z.object({ type: z.literal("stop_answer"), messageId: text, reason: text }),
  z.object({ type: z.literal("ping") }),
  /** There is nothing to do for now: memory that is only kept for speed may go. */
  z.object({ type: z.literal("rest") }),
  z.object({ type: z.literal("shutdown") }),
]);
export type ToProcess = z.infer<typeof ToProcess>;

export const FromProcess = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), pid: z.number() }),
  z.object({
    type: z.literal("llm_request"),
    requestId: text,
    orderId: text,
    settings: ModelSettings,
    /** Sent with the first request of a conversation, and again after a resync. */
    opening: z.object({ system: text, tools: z.array(ToolSpec) }).optional(),
    /** How many messages the daemon should have already. */
    known: z.int().refine((count) => count >= 0),
    messages: z.array(Message),
    /** Not part of the conversation: neither kept nor shown. */
    aside: yes.optional(),
  }),
  z.object({ type: z.literal("llm_cancel"), requestId: text }),
  /** What an agent is doing, for those who watch; lost without harm. */
  z.object({
    type: z.literal("activity"),
    orderId: text,
    activity: Activity,
    turn: z.number(),
    context: RunContext.optional(),
  }),
  /** What a command of an agent says, for those who watch; lost without harm. */
  z.object({ type: z.literal("output"), orderId: text, callId: text, text }),
  /** What the project's agent does for a message, for those who watch; lost without harm. */
  z.object({ type: z.literal("answering"), orderId: text, messageId: text, activity: Activity }),
  /** The project's agent has dealt with a message, and its session says so. */
  z.object({
    type: z.literal("answered"),
    orderId: text,
    messageId: text,
    outcome: TurnOutcome,
    text,
    error: text.optional(),
    steps: z.array(TurnStep).optional(),
  }),
  /**
   * What the hall is asked, by name; answered with a reply. Without an order it is the process itself that asks. Asking
   * twice with one call id changes nothing more.
   */
  z.object({
    type: z.literal("ask_hall"),
    requestId: text,
    orderId: text.optional(),
    /** The message that the project's own agent answers. */
    messageId: text.optional(),
    callId: text.optional(),
    what: text,
    input: z.unknown().optional(),
  }),
  /** `worthReflection`: it may be ordered to look back on the run. */
  z.object({ type: z.literal("ended"), orderId: text, end: RecordedEnd, worthReflection: yes.optional() }),
  /** It has looked back on a run; what of it was written to the memory. */
  z.object({
    type: z.literal("reflected"),
    orderId: text,
    rounds: z.number(),
    wrote: z.array(text),
    error: text.optional(),
  }),
  /** The run's journal cannot be written for now; without a wait, it can again. */
  z.object({ type: z.literal("disk_wait"), orderId: text, wait: ModelWait.optional() }),
  /** The run could not go on here and now; its journal is as it was. `isStorage`: the disk did not let it. */
  z.object({ type: z.literal("stumbled"), orderId: text, reason: text, isStorage: z.boolean() }),
  /** Whether a message will reach the model; not when the run had just come to its end. */
  z.object({ type: z.literal("heard"), orderId: text, id: text, ok: z.boolean() }),
  /** It has searched folders of programs before it ran a command. */
  z.object({ type: z.literal("searched"), searches: z.array(ToolSearch) }),
  z.object({ type: z.literal("pong") }),
  z.object({ type: z.literal("shutdown-complete") }),
]);
export type FromProcess = z.infer<typeof FromProcess>;
