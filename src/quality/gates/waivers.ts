import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import { HallError } from "../../contract/errors.ts";
import type { TreeSource } from "../trees/tree-source.ts";
import { isBlocking, judgedBy, settledStage } from "./scoring.ts";
import type { StageOutcome } from "./subject.ts";

type Waiver = NonNullable<GateFinding["waiver"]>;

/** The report once a person has accepted one of its findings, judged again by what was recorded. */
export function withWaiver(report: GateReport, findingId: string, waiver: Waiver): GateReport {
  const stage = report.stages.find(({ findings }) => findings.some(({ id }) => id === findingId));
  const finding = stage?.findings.find(({ id }) => id === findingId);
  if (stage === undefined || finding === undefined)
    throw new HallError("finding_not_found", `Gate report ${report.id} has no finding '${findingId}'.`);
  if (finding.state === "waived") return report;
  if (report.state === "running")
    throw new HallError("gate_refused", "The gate is still running. Wait until it is finished.");
  if (stage.kind === "binary")
    throw new HallError("gate_refused", "Code that doesn't compile and failing tests can't be waived.", {
      hint: "Add the test to qualityGates.knownFailingTests, or approve the change itself.",
    });
  const accepted: GateFinding = { ...finding, state: "waived", waiver };
  const { verdict = "unable", uncapped, score, ...rest } = stage;
  const findings = stage.findings.map((each) => (each.id === findingId ? accepted : each));
  const outcome = withoutWaived({ ...rest, verdict, score: uncapped ?? score, findings });
  const stages = report.stages.map((each) => (each.name === stage.name ? settledStage(stage.name, outcome) : each));
  const { reason: _, ...about } = report;
  const { reason, ...judged } = judgedBy(stages, report.threshold);
  return { ...about, ...judged, ...(reason !== undefined && { reason }), stages };
}

/**
 * What a person accepted in the report before counts again, as long as it is about the same content. `isSame`: whether a file of
 * that report is unchanged; without a file, whether the whole tree is.
 */
export async function withEarlierWaivers(
  outcome: StageOutcome,
  before: GateReport | undefined,
  isSame: (file: string | undefined) => Promise<boolean>,
): Promise<StageOutcome> {
  const waived = new Map(
    (before?.stages ?? [])
      .filter(({ kind }) => kind === "weighted")
      .flatMap(({ findings }) => findings.filter(({ state }) => state === "waived").map((each) => [each.id, each])),
  );
  if (waived.size === 0 || !outcome.findings.some(({ id }) => waived.has(id))) return outcome;
  const findings: GateFinding[] = [];
  for (const finding of outcome.findings) {
    const { waiver, code, file } = waived.get(finding.id) ?? {};
    const counts = waiver !== undefined && code === finding.code && file === finding.file && (await isSame(file));
    findings.push(counts ? { ...finding, state: "waived", waiver } : finding);
  }
  return withoutWaived({ ...outcome, findings });
}

/** Whether a file, or without one the whole tree, is the same in two trees. */
export function unchangedBetween(trees: Pick<TreeSource, "read">, from: string, to: string) {
  return async (file: string | undefined): Promise<boolean> => {
    if (from === to) return true;
    if (file === undefined) return false;
    const [before, after] = await Promise.all([trees.read(from, file), trees.read(to, file)]);
    return before === undefined ? after === undefined : after !== undefined && before.equals(after);
  };
}

/**
 * A stage that failed over findings that a person accepted has nothing against it; its score still counts. What could not be
 * judged beside them is not accepted with them.
 */
function withoutWaived(outcome: StageOutcome): StageOutcome {
  const isFreed =
    outcome.verdict === "fail" &&
    outcome.findings.some(({ state }) => state === "waived") &&
    !outcome.findings.some(isBlocking);
  return isFreed ? { ...outcome, verdict: outcome.reason === undefined ? "pass" : "unable" } : outcome;
}
