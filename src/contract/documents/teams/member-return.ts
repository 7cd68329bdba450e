import { z } from "zod";
import { FINDING_SEVERITIES } from "../../words/review-words.ts";
import { line, prose } from "../../words/text.ts";

const lines = z.array(line(2_000)).max(100);
const path = line(1_000);

/** A document: a file in the working folder, or its text where it doesn't belong there. */
const document = {
  artifactPath: path.optional(),
  content: prose(200_000).optional(),
};

const AnalysisFinding = z.strictObject({
  severity: z.enum(FINDING_SEVERITIES),
  file: path.optional(),
  line: z.int().min(1).optional(),
  message: line(2_000),
  fix: line(2_000).optional(),
});

const count = z.int().min(0);
const SeverityCounts = z.strictObject({ critical: count, high: count, medium: count, low: count });
export type SeverityCounts = z.infer<typeof SeverityCounts>;

/** A file of the plan that turned out not to be needed. */
const SkippedFile = z.strictObject({ path, reason: line(1_000) });

/** In percent; null where it could not be measured. */
const percent = z.number().min(0).max(100).nullable();

/** What a member of a team returns beside its summary, by what it is responsible for. */
export const MemberReturn = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("orchestration"), ...document, keyDecisions: lines, warnings: lines }),
  z.strictObject({ type: z.literal("code-gen-docs"), ...document, keyDecisions: lines, warnings: lines }),
  z.strictObject({
    type: z.literal("code-gen-code"),
    ...document,
    filesChanged: z.array(path).max(1_000),
    skippedFiles: z.array(SkippedFile).max(100),
    warnings: lines,
  }),
  z.strictObject({
    type: z.literal("read-only"),
    ...document,
    findings: z.array(AnalysisFinding).max(200),
    severityCounts: SeverityCounts,
  }),
  z.strictObject({
    type: z.literal("validation"),
    ...document,
    passRate: percent,
    coverage: percent,
    remainingFailures: lines,
  }),
]);
export type MemberReturn = z.infer<typeof MemberReturn>;
