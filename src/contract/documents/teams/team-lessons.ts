import { z } from "zod";
import { KIND_LANGUAGES, PROJECT_KINDS } from "../../words/teams/project-kinds.ts";
import { Timestamp } from "../../words/text.ts";
import { GateFinding, GateLine, StageName } from "../quality/gate.ts";

export const DetectedKind = z.strictObject({
  kind: z.enum(PROJECT_KINDS),
  language: z.enum(KIND_LANGUAGES),
  /** Relative to the project's folder; empty for the folder itself. */
  folder: z.string(),
  /** What decided it: a file, and what it says. */
  evidence: z.string(),
  /** Skill packs with its standards. */
  skills: z.array(z.string()),
});
export type DetectedKind = z.infer<typeof DetectedKind>;

/** A stage that past results often failed. */
export const WeakStage = z.strictObject({
  stage: StageName,
  judged: z.int(),
  failed: z.int(),
  /** The average of the scores; null where nothing was scored. */
  score: z.number().nullable(),
});
export type WeakStage = z.infer<typeof WeakStage>;

/** A kind of finding that several tasks had. */
export const RepeatedFinding = z.strictObject({
  code: GateFinding.shape.code,
  stage: StageName,
  /** Tasks that had it, of those whose reports were read. */
  tasks: z.int(),
  of: z.int(),
  /** The newest, as it was found. */
  example: z.string(),
});
export type RepeatedFinding = z.infer<typeof RepeatedFinding>;

/** What rework taught, from the project's knowledge. */
export const TaughtStatement = z.strictObject({
  id: z.string(),
  text: z.string(),
  /** Whether a person confirmed it. */
  confirmed: z.boolean(),
});
export type TaughtStatement = z.infer<typeof TaughtStatement>;

/** `lessons.json` of a team: what it was told of the project and of past work when it formed. */
export const TeamLessons = z.strictObject({
  at: Timestamp,
  kinds: z.array(DetectedKind),
  /** Manifests that could not be used, with the reason. */
  unread: z.array(z.strictObject({ file: z.string(), reason: z.string() })),
  /** Gate reports of the project that were searched, the newest. */
  gates: z.int(),
  weakStages: z.array(WeakStage),
  repeated: z.array(RepeatedFinding),
  statements: z.array(TaughtStatement),
});
export type TeamLessons = z.infer<typeof TeamLessons>;

/** A gate report of a team, with the member whose result it judged. */
export const MemberGate = GateLine.extend({ member: z.string(), task: z.string() });
export type MemberGate = z.infer<typeof MemberGate>;
