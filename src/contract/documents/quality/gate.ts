import { z } from "zod";
import { FAILURE_KINDS, GATE_VERDICTS, STAGES } from "../../words/gate-words.ts";
import { FINDING_SEVERITIES } from "../../words/review-words.ts";
import { Timestamp } from "../../words/text.ts";
import { OWNERSHIP } from "./quality-gates.ts";

export const StageName = z.enum(STAGES);
export const GateVerdict = z.enum(GATE_VERDICTS);

/**
 * `open`: it counts. `refuted`: a second look found it wrong. `resolved`: a later cycle fixed it. `waived`: a person accepted it.
 * `disputed`: its author disagrees, and another reviewer decides.
 */
const FINDING_STATES = ["open", "refuted", "resolved", "waived", "disputed"] as const;

/** What kind of thing was found, for code; the message is for people. */
const FINDING_CODES = [
  "compile-error",
  "test-failed",
  "test-unsteady",
  "test-not-run",
  "test-deleted",
  "test-skipped",
  "test-focused",
  "test-emptied",
  "test-weakened",
  "not-red-before",
  "red-unclear",
  "no-tests-added",
  "unproven",
  "gate-settings-changed",
  "review",
  "requirement-missing",
  "requirement-partial",
  "unlinked",
  "unwired",
  "conflict",
  "no-rollback",
] as const;

export const GateFinding = z.strictObject({
  /** Within its report; the same finding keeps its id over the cycles. */
  id: z.string(),
  code: z.enum(FINDING_CODES),
  severity: z.enum(FINDING_SEVERITIES),
  /** Relative to the root of the repository. */
  file: z.string().optional(),
  line: z.int().min(1).optional(),
  message: z.string(),
  /** How to fix it. */
  fix: z.string().optional(),
  state: z.enum(FINDING_STATES),
  /** Whether it keeps the change from passing; advice does not. */
  blocks: z.boolean(),
  /** Requirements that it is about. */
  requirements: z.array(z.string()).optional(),
  waiver: z.strictObject({ by: z.string(), reason: z.string(), at: Timestamp }).optional(),
  /** What the author, a second reviewer or a person said about it. */
  replies: z.array(z.strictObject({ by: z.string(), text: z.string() })).optional(),
});
export type GateFinding = z.infer<typeof GateFinding>;

const TestFailure = z.strictObject({
  name: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  message: z.string().optional(),
});

const TestCounts = z.strictObject({
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  /** Fail on the base too, or are listed as known. */
  known: z.int(),
  unsteady: z.int(),
});

export const CommandEvidence = z.strictObject({
  type: z.literal("command"),
  /** What it was run for, such as "syntax", "tests", "baseline", "red". */
  purpose: z.string(),
  command: z.string(),
  /** The tree that it ran on. */
  tree: z.string(),
  exitCode: z.int(),
  kind: z.enum(FAILURE_KINDS),
  ms: z.int(),
  toolchain: z.string(),
  cached: z.boolean(),
  scope: z.enum(["affected", "full"]).optional(),
  /** Why the whole suite ran although only affected tests were wanted. */
  fallback: z.string().optional(),
  tests: TestCounts.optional(),
  failures: z.array(TestFailure).optional(),
  /** The end of what it printed. */
  output: z.string(),
});
export type CommandEvidence = z.infer<typeof CommandEvidence>;

const ModelEvidence = z.strictObject({
  type: z.literal("model"),
  /** What it was asked for, such as "review", "refute", "dispute". */
  purpose: z.string(),
  model: z.string(),
  /** The run that reviewed, where it was a run. */
  runId: z.string().optional(),
  costUsd: z.number(),
  /** The end of what it answered. */
  answer: z.string(),
  /** Findings without a place in the diff or tree. */
  dropped: z.int(),
  refuted: z.int(),
});

const NoteEvidence = z.strictObject({ type: z.literal("note"), text: z.string() });

export const GateEvidence = z.discriminatedUnion("type", [CommandEvidence, ModelEvidence, NoteEvidence]);
export type GateEvidence = z.infer<typeof GateEvidence>;

/** Why a stage, or the whole gate, is `skipped` or `unable`. */
const GATE_REASONS = [
  "off",
  "not-code",
  "no-changes",
  "early-exit",
  "no-spec",
  "disabled",
  "no-model",
  "not-detected",
  "nothing-ran",
  "no-tests",
  "infra-failure",
  "timeout",
  "config-error",
  "tree-changed",
  "no-sandbox",
  "unreadable-answer",
  "no-review",
  "red-unclear",
  "budget",
  "failed",
  "cancelled",
  "interrupted",
  "no-git",
  "dry-run",
] as const;
export const GateReason = z.strictObject({ code: z.enum(GATE_REASONS), text: z.string() });
export type GateReason = z.infer<typeof GateReason>;

export const GateStage = z.strictObject({
  name: StageName,
  kind: z.enum(["binary", "weighted"]),
  weight: z.number(),
  /** Absent while it has not begun, or is under way. */
  verdict: GateVerdict.optional(),
  /** 0 to 100; null where nothing was scored. */
  score: z.number().nullable(),
  /** The score without the findings that cap it; absent where none does. */
  uncapped: z.number().optional(),
  reason: GateReason.optional(),
  findings: z.array(GateFinding),
  evidence: z.array(GateEvidence),
});
export type GateStage = z.infer<typeof GateStage>;

/** projects/<id>/gates/<day>/<gate-id>.json: how one tree was judged. */
export const GateReport = z.strictObject({
  id: z.string(),
  /** Absent of a check outside any project. */
  projectId: z.string().optional(),
  runId: z.string().optional(),
  taskId: z.string().optional(),
  teamId: z.string().optional(),
  title: z.string(),
  /** From 1. */
  cycle: z.int().min(1),
  /** `running` also while it waits for a reviewer. */
  state: z.enum(["running", "finished"]),
  /** Absent while it is running. */
  verdict: GateVerdict.optional(),
  reason: GateReason.optional(),
  /** Of the weighted stages that ran; null where none did. */
  score: z.number().nullable(),
  threshold: z.number(),
  /** Commits; `head` is absent of files that are not committed. */
  base: z.string(),
  head: z.string().optional(),
  /** The commit of a target that moved, where `head` was judged as it would be merged into it. */
  onto: z.string().optional(),
  /** The hash of the tree that was judged: the verdict is valid for it alone. */
  tree: z.string(),
  files: z.int(),
  additions: z.int(),
  deletions: z.int(),
  /** What limits left out, in sentences: parts of a large diff, of outputs, of lists. */
  cut: z.array(z.string()),
  stages: z.array(GateStage),
  costUsd: z.number(),
  /** A hash of all that the verdict depends on. The same is not judged again. */
  key: z.string().optional(),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
});
export type GateReport = z.infer<typeof GateReport>;

/** A report in lists: without findings and evidence. */
export const GateLine = GateReport.omit({ stages: true, cut: true, key: true }).extend({
  stages: z.array(GateStage.pick({ name: true, verdict: true, score: true })),
  /** Findings that keep it from passing. */
  blocking: z.int(),
});
export type GateLine = z.infer<typeof GateLine>;

/** What can be checked in a folder, and how. */
export const DetectedCheck = z.strictObject({
  check: z.enum(["syntax", "tests"]),
  language: z.enum(["javascript", "typescript", "python", "go", "rust", "other"]),
  /** The program behind it, such as "vitest" or "tsc". */
  tool: z.string(),
  command: z.string(),
  /** The folder, relative to the root; empty for the root itself. */
  folder: z.string(),
  /** Where that is known from: a file of the base tree, or a setting. */
  from: z.string(),
  /** Why it cannot be run here, if so. */
  missing: z.string().optional(),
});
export type DetectedCheck = z.infer<typeof DetectedCheck>;

export const FileOwner = z.strictObject({
  path: z.string(),
  runId: z.string(),
  taskId: z.string(),
  since: Timestamp,
});
export type FileOwner = z.infer<typeof FileOwner>;

export const FileConflict = z.strictObject({
  path: z.string(),
  /** Who had it, and who changed it too. */
  owner: FileOwner,
  runId: z.string(),
  at: Timestamp,
  mode: z.enum(OWNERSHIP),
});
export type FileConflict = z.infer<typeof FileConflict>;
