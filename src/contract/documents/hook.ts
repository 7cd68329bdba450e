import { z } from "zod";
import { line, Timestamp } from "../words/text.ts";

/** When hooks run. `GUARDING`: a refusal keeps it from happening; after the others it only tells the agent something. */
export const HOOK_EVENTS = [
  "SessionStart",
  "PreToolUse",
  "PostToolUse",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "PreShutdown",
  "EscalationCreated",
  "GateFinished",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const GUARDING: readonly HookEvent[] = [
  "PreToolUse",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "PreShutdown",
];

export const HookName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, "must be a short lower-case name");

const fields = {
  event: z.enum(HOOK_EVENTS),
  name: HookName,
  /** For people, in one line. */
  description: line(300).optional(),
  /** A program and its arguments. It gets JSON on stdin; exit 2 refuses, with stderr as the reason. */
  command: z.array(z.string().min(1).max(10_000)).min(1).max(100).optional(),
  /** An address that gets the same JSON as a POST request. */
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  /** Names of tools, separated by `|`; `*` and nothing mean all. Only for PreToolUse and PostToolUse. */
  matcher: line(500).optional(),
  timeoutSeconds: z.number().min(0.1).max(600).default(30),
  /** What a guarding hook that can't say anything (timeout, crash, missing program) means. */
  onError: z.enum(["refuse", "allow"]).default("refuse"),
  enabled: z.boolean().default(true),
  /** An input that it must refuse; tried when the daemon starts and when the hook changes. */
  sample: z.record(z.string(), z.unknown()).optional(),
};

const hasOneAction = ({ command, url }: { command?: unknown; url?: unknown }) =>
  (command === undefined) !== (url === undefined);
const ONE_ACTION = { path: ["command"], error: "is required unless url is given, and can't be combined with it" };

/** One hook of the person in config.yml. */
export const HookSettings = z.strictObject(fields).refine(hasOneAction, ONE_ACTION);
export type HookSettings = z.infer<typeof HookSettings>;

/** A file in hooks/: one hook, whose name is the file's. */
export const HookFile = z.strictObject({ ...fields, name: HookName.optional() }).refine(hasOneAction, ONE_ACTION);
export type HookFile = z.infer<typeof HookFile>;

export const HOOK_SOURCES = ["builtin", "config", "file", "repository"] as const;
export type HookSource = (typeof HOOK_SOURCES)[number];

/** What became of one hook, for transcripts and pages. */
export const HookTrace = z.strictObject({
  event: z.enum(HOOK_EVENTS),
  name: z.string(),
  /** `failed`: it could not be run, or said nothing that counts. */
  outcome: z.enum(["allowed", "refused", "failed"]),
  ms: z.number(),
  /** What it said. */
  text: z.string().max(20_000).optional(),
});
export type HookTrace = z.infer<typeof HookTrace>;

/** One time that a hook ran. */
export const HookRecord = z.strictObject({
  at: Timestamp,
  outcome: z.enum(["allowed", "refused", "failed"]),
  ms: z.number(),
  text: z.string().optional(),
  projectId: z.string().optional(),
  runId: z.string().optional(),
});
export type HookRecord = z.infer<typeof HookRecord>;

/** A hook as pages and commands show it. */
export const Hook = z.strictObject({
  name: z.string(),
  event: z.enum(HOOK_EVENTS),
  source: z.enum(HOOK_SOURCES),
  /** Of a repository's hook: the project it applies to. The others apply to all. */
  projectId: z.string().optional(),
  description: z.string().optional(),
  command: z.array(z.string()).optional(),
  /** Without its query. */
  url: z.string().optional(),
  matcher: z.string().optional(),
  timeoutSeconds: z.number(),
  onError: z.enum(["refuse", "allow"]),
  enabled: z.boolean(),
  /** Of a repository's hook: whether you accepted its content. It is not run before. */
  accepted: z.boolean().optional(),
  /** Of a repository's hook: of its content, for accepting it. */
  hash: z.string().optional(),
  problem: z.string().optional(),
  last30Days: z.strictObject({ allowed: z.int(), refused: z.int(), failed: z.int() }),
  lastRunAt: Timestamp.optional(),
});
export type Hook = z.infer<typeof Hook>;

export const HookDetail = z.strictObject({
  hook: Hook,
  /** Of a repository's hook: its entry in the settings, and the files that it names. */
  content: z.array(z.strictObject({ path: z.string(), text: z.string() })).optional(),
  recent: z.array(HookRecord),
});
export type HookDetail = z.infer<typeof HookDetail>;

/** Hooks of repositories that the person accepted, by the hash of their content. */
export const AcceptedHooks = z.strictObject({
  version: z.literal(1),
  accepted: z.record(
    z.string(),
    z.array(
      z.strictObject({
        hash: z.string(),
        name: z.string(),
        at: Timestamp,
        /** What it guarded when it was accepted; without it, every tool. */
        matcher: z.string().optional(),
      }),
    ),
  ),
});
export type AcceptedHooks = z.infer<typeof AcceptedHooks>;
