import type { GateReason, GateStage } from "../../contract/documents/quality/gate.ts";
import { errorText } from "../../contract/words/error-text.ts";
import {
  REVIEWED_STAGES,
  type ReviewedStage,
  STAGE_TABLE,
  STAGES,
  type StageName,
} from "../../contract/words/gate-words.ts";
import { emptyStage, mergedOutcome, settledStage } from "./scoring.ts";
import type { GateSubject, Judges, StageOutcome } from "./subject.ts";

export interface Progress {
  /** A stage begins. */
  begun?(name: StageName): void;
  /** A stage is judged. `spentUsd`: what all of them have cost so far. */
  judged?(stage: GateStage, spentUsd: number): void;
}

/** What a stage that nobody judged is called. */
function outcomeOf(verdict: "skipped" | "unable", reason: GateReason): StageOutcome {
  return { verdict, score: null, reason, findings: [], evidence: [] };
}

const EARLY_EXIT: GateReason = { code: "early-exit", text: "An earlier stage failed." };
const CANCELLED: GateReason = { code: "cancelled", text: "The gate was cancelled." };
const NO_SPEC: GateReason = { code: "no-spec", text: "There is no spec with requirements." };
const OFF: GateReason = { code: "disabled", text: "Turned off in the settings." };
const NO_MODEL: GateReason = { code: "no-model", text: "Reviewers were not asked." };

type Outcomes = Partial<Record<StageName, StageOutcome>>;

/**
 * Judges a change stage by stage, in the order of STAGES. A binary stage that fails ends it. `reviewed`: applied to what the judges
 * found before it counts, as for what a person has waived.
 */
export async function judgeStages(
  subject: GateSubject,
  judges: Judges,
  { progress = {}, reviewed = async (outcome) => outcome }: JudgeOptions = {},
): Promise<{ stages: GateStage[]; cut: string[]; costUsd: number }> {
  const stages: GateStage[] = [];
  const cut = new Set<string>();
  let costUsd = 0;
  for (const group of groupsOf(subject, judges)) {
    const skipped = skippedBecause(subject, stages);
    if (skipped === undefined) for (const name of group.names) progress.begun?.(name);
    const outcomes = skipped === undefined ? await group.judge() : undefined;
    for (const name of group.names) {
      const found = outcomes === undefined ? outcomeOf("skipped", skipped ?? EARLY_EXIT) : outcomes[name];
      const outcome = await reviewed(found ?? outcomeOf("unable", { code: "failed", text: "It was not judged." }));
      costUsd += outcome.costUsd ?? 0;
      for (const text of outcome.cut ?? []) cut.add(text);
      const stage = settledStage(name, outcome);
      stages.push(stage);
      progress.judged?.(stage, costUsd);
    }
  }
  return { stages, cut: [...cut], costUsd };
}

export interface JudgeOptions {
  progress?: Progress | undefined;
  reviewed?: ((outcome: StageOutcome) => Promise<StageOutcome>) | undefined;
}

/** Every stage, before it is judged. */
export function stagesToJudge(): GateStage[] {
  return STAGES.map(emptyStage);
}

/** Stages that are judged at the same time. */
interface Group {
  names: readonly StageName[];
  judge(): Promise<Outcomes>;
}

function groupsOf(subject: GateSubject, judges: Judges): Group[] {
  const { settings, spec } = subject;
  const single = (name: StageName, judge: () => Promise<StageOutcome>, off?: GateReason | undefined): Group => ({
    names: [name],
    judge: async () => ({ [name]: off === undefined ? await orUnable(judge) : outcomeOf("skipped", off) }),
  });
  const withoutSpec = spec === undefined ? NO_SPEC : undefined;
  return [
    single("syntax", () => judges.syntax(subject)),
    single("tests", () => judges.tests(subject), settings.testScope === "none" ? OFF : undefined),
    { names: REVIEWED_STAGES, judge: () => reviewedStages(subject, judges) },
    single("spec_compliance", () => judges.specCompliance(subject), withoutSpec),
    single("traceability", () => judges.traceability(subject), withoutSpec),
    single("rollout_safety", () => judges.rolloutSafety(subject), settings.rolloutSafety ? undefined : OFF),
  ];
}

/** The proof keeps the machine busy, the review waits for a model: both at once. */
async function reviewedStages(subject: GateSubject, { proof, review }: Judges): Promise<Outcomes> {
  const [proven, outcomes] = await Promise.all([
    orUnable(() => proof(subject)),
    review === undefined ? all(outcomeOf("skipped", NO_MODEL)) : reviewedOrUnable(() => review(subject)),
  ]);
  return { ...outcomes, completeness: mergedOutcome(proven, outcomes.completeness) };
}

function all(outcome: StageOutcome): Record<ReviewedStage, StageOutcome> {
  return { architecture: outcome, simplicity: outcome, errors: outcome, completeness: outcome };
}

async function reviewedOrUnable(judge: () => Promise<Record<ReviewedStage, StageOutcome>>) {
  try {
    return await judge();
  } catch (error) {
    return all(outcomeOf("unable", { code: "failed", text: errorText(error) }));
  }
}

/** A judge that throws has not judged. */
async function orUnable(judge: () => Promise<StageOutcome>): Promise<StageOutcome> {
  try {
    return await judge();
  } catch (error) {
    return outcomeOf("unable", { code: "failed", text: errorText(error) });
  }
}

function skippedBecause({ signal }: GateSubject, before: readonly GateStage[]): GateReason | undefined {
  if (signal.aborted) return CANCELLED;
  const failed = before.find(({ kind, verdict }) => kind === "binary" && verdict === "fail");
  return failed && { ...EARLY_EXIT, text: `${STAGE_TABLE[failed.name].label} failed.` };
}
