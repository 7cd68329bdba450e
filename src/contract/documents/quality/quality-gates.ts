import { z } from "zod";
import { line } from "../../words/text.ts";

/** `teams`: runs of a team. `all`: every run that changes code. */
const GATES_APPLY = ["teams", "all", "off"] as const;
const TEST_SCOPES = ["affected", "full", "none"] as const;
/** What happens where no test turns red when a changed part is taken back: nothing is tried, it is listed, or it fails. */
const PROOFS = ["off", "advise", "strict"] as const;
/** What happens when two runs change the same file: they are warned, or the second one is refused. */
export const OWNERSHIP = ["off", "warn", "strict"] as const;

/** The aggregate that a change needs; other values are moved to the nearest of these. */
export const LEAST_THRESHOLD = 70;
export const MOST_THRESHOLD = 95;

/** A model, with its provider or without: 'claude-opus-4-6' is known to be Anthropic's. */
const ReviewModel = line(200);
const DEFAULT_MODEL = "claude-opus-4-6";

const Command = line(2_000);

/** What is run instead of what was detected. `affected`: `{files}` stands for the changed files. */
const Commands = z.strictObject({
  syntax: Command.optional(),
  tests: Command.optional(),
  affected: Command.optional(),
  /** A JUnit XML file, relative to the project, that the test command writes. */
  report: line(500).optional(),
});

const Timeouts = z.strictObject({
  syntax: z.int().min(1).max(7_200),
  tests: z.int().min(1).max(7_200),
  /** The whole suite, of the integration gate. */
  suite: z.int().min(1).max(14_400),
});

const fields = {
  enabled: z.boolean(),
  appliesTo: z.enum(GATES_APPLY),
  passThreshold: z.number().min(0).max(100),
  maxReviewCycles: z.int().min(1).max(10),
  enforceTDD: z.boolean(),
  baselineAwareTests: z.boolean(),
  /** Names of tests that may fail. */
  knownFailingTests: z.array(line(1_000)).max(1_000),
  testScope: z.enum(TEST_SCOPES),
  reviewModel: ReviewModel,
  escalationModel: ReviewModel,
  proof: z.enum(PROOFS),
  /** Whether the ninth stage is judged. */
  rolloutSafety: z.boolean(),
  ownership: z.enum(OWNERSHIP),
  commands: Commands,
  timeoutSeconds: Timeouts,
  /** The file with the requirements (REQ-001 …), relative to the project's folder. */
  spec: line(500).optional(),
};

/** The settings of the quality gates, for the whole hall. */
export const QualityGates = z.strictObject({
  ...fields,
  enabled: fields.enabled.default(true),
  appliesTo: fields.appliesTo.default("teams"),
  passThreshold: fields.passThreshold.default(90),
  maxReviewCycles: fields.maxReviewCycles.default(3),
  enforceTDD: fields.enforceTDD.default(true),
  baselineAwareTests: fields.baselineAwareTests.default(true),
  knownFailingTests: fields.knownFailingTests.default([]),
  testScope: fields.testScope.default("affected"),
  reviewModel: fields.reviewModel.default(DEFAULT_MODEL),
  escalationModel: fields.escalationModel.default(DEFAULT_MODEL),
  proof: fields.proof.default("advise"),
  rolloutSafety: fields.rolloutSafety.default(false),
  ownership: fields.ownership.default("warn"),
  commands: fields.commands.prefault({}),
  timeoutSeconds: z
    .strictObject({
      syntax: Timeouts.shape.syntax.default(300),
      tests: Timeouts.shape.tests.default(1_800),
      suite: Timeouts.shape.suite.default(3_600),
    })
    .prefault({}),
});
export type QualityGates = z.infer<typeof QualityGates>;

/** What a project sets itself. */
export const ProjectQualityGates = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  timeoutSeconds: Timeouts.partial().optional(),
});
export type ProjectQualityGates = z.infer<typeof ProjectQualityGates>;

const nullable = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, schema.nullish()])) as {
    [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>>;
  };

/** A change names only what it changes; null takes a setting away. */
export const ProjectQualityGatesUpdate = z.strictObject({
  ...nullable(fields),
  commands: z.strictObject(nullable(Commands.shape)).nullish(),
  timeoutSeconds: z.strictObject(nullable(Timeouts.shape)).nullish(),
});
