import { describe, expect, it } from "vitest";
import { gateReport, stages as reported } from "../../../test/harness/gate-reports.ts";
import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { type ReviewedStage, STAGES, type StageName } from "../../contract/words/gate-words.ts";
import type { LocalChecks } from "../checks/local-checks.ts";
import type { TreeSource } from "../trees/tree-source.ts";
import { failureReport } from "./failure-report.ts";
import { judgeStages } from "./pipeline.ts";
import { judgedBy, mergedOutcome, settledStage } from "./scoring.ts";
import type { GateSubject, Judges, StageOutcome } from "./subject.ts";
import { withEarlierWaivers, withWaiver } from "./waivers.ts";

const outcome = (more: Partial<StageOutcome> = {}): StageOutcome => ({
  ...{ verdict: "pass", score: 100, findings: [], evidence: [] },
  ...more,
});
const finding = (more: Partial<GateFinding> = {}): GateFinding => ({
  ...{ id: "f1", code: "review", severity: "high", message: "Wrong.", state: "open", blocks: true },
  ...more,
});
const subjectOf = (settings: object = {}, more: Partial<GateSubject> = {}): GateSubject => ({
  // No judge here looks at a tree.
  ...{ trees: {} as TreeSource, checks: {} as LocalChecks, base: "b", baseTree: "b", tree: "t", changes: [] },
  ...{ settings: QualityGates.parse(settings), cycle: 1, type: "feature", signal: new AbortController().signal },
  ...more,
});
/** Judges that answer as told, and note in which order they were asked. */
function judgesWith(given: Partial<Record<StageName | "proof", StageOutcome | Error>>): Judges & { asked: string[] } {
  const asked: string[] = [];
  const answer = (name: StageName | "proof") => async () => {
    asked.push(name);
    const found = given[name] ?? outcome();
    if (found instanceof Error) throw found;
    return found;
  };
  const review = async (): Promise<Record<ReviewedStage, StageOutcome>> => ({
    architecture: await answer("architecture")(),
    simplicity: await answer("simplicity")(),
    errors: await answer("errors")(),
    completeness: await answer("completeness")(),
  });
  return {
    ...{ asked, syntax: answer("syntax"), tests: answer("tests"), proof: answer("proof"), review },
    ...{ specCompliance: answer("spec_compliance"), traceability: answer("traceability") },
    rolloutSafety: answer("rollout_safety"),
  };
}
const verdictsOf = ({ stages }: { stages: GateReport["stages"] }) => stages.map(({ verdict }) => verdict);

describe("the pipeline", () => {
  it("judges nine stages in their order and tells of each [S1-QG-01]", async () => {
    const told: string[] = [];
    const subject = subjectOf({ rolloutSafety: true }, { spec: "REQ-001" });
    const { stages } = await judgeStages(subject, judgesWith({}), {
      progress: { judged: ({ name }) => told.push(name) },
    });
    expect(stages.map(({ name }) => name)).toEqual([...STAGES]);
    expect(told).toEqual([...STAGES]);
    expect(judgedBy(stages, 90)).toEqual({ verdict: "pass", score: 100 });
  });

  it.each(["syntax", "tests"] as const)("ends early when %s fails, at no further cost [S1-QG-11]", async (name) => {
    const judges = judgesWith({ [name]: outcome({ verdict: "fail" }) });
    const judged = await judgeStages(subjectOf(), judges);
    expect(judges.asked.at(-1)).toBe(name);
    const after = STAGES.indexOf(name) + 1;
    expect(verdictsOf(judged).slice(after)).toEqual(STAGES.slice(after).map(() => "skipped"));
    expect(judged.stages.at(-1)?.reason?.code).toBe("early-exit");
    expect(judgedBy(judged.stages, 90).verdict).toBe("fail");
  });

  it("goes on where a weighted stage fails: the author is told everything at once", async () => {
    const judges = judgesWith({ architecture: outcome({ verdict: "fail", score: 20 }) });
    await judgeStages(subjectOf({ rolloutSafety: true }, { spec: "REQ-001" }), judges);
    expect(judges.asked.slice(-3)).toEqual(["spec_compliance", "traceability", "rollout_safety"]);
  });

  it("calls what a judge says nothing about not judged", async () => {
    const judges = { ...judgesWith({}), review: async () => ({ completeness: outcome() }) as never };
    const { stages } = await judgeStages(subjectOf(), judges);
    expect(stages.find(({ name }) => name === "architecture")).toMatchObject({ verdict: "unable" });
    expect(judgedBy(stages, 90).verdict).toBe("unable");
  });

  it("goes on where a stage could not be judged, and never passes then", async () => {
    const judges = judgesWith({ tests: outcome({ verdict: "unable" }), errors: outcome({ findings: [finding()] }) });
    const { stages } = await judgeStages(subjectOf(), judges);
    expect(judgedBy(stages, 90).verdict).toBe("fail");
    const broken = await judgeStages(subjectOf(), judgesWith({ proof: new Error("No disk.") }));
    expect(judgedBy(broken.stages, 90)).toMatchObject({
      verdict: "unable",
      reason: { code: "failed", text: "No disk." },
    });
    const silent = await judgeStages(subjectOf(), judgesWith({ architecture: new Error("No answer.") }));
    expect(verdictsOf(silent).slice(2, 6)).toEqual(["unable", "unable", "unable", "unable"]);
  });

  it("leaves out what does not apply: the spec stages without a spec, rollout safety unless it is wanted [S1-QG-08 S1-QG-09 S1-QG-10]", async () => {
    const judges = judgesWith({});
    const { stages } = await judgeStages(subjectOf(), judges);
    expect(stages.slice(6).map(({ verdict, reason }) => [verdict, reason?.code])).toEqual([
      ["skipped", "no-spec"],
      ["skipped", "no-spec"],
      ["skipped", "disabled"],
    ]);
    expect(judges.asked).not.toContain("rollout_safety");
    const local = await judgeStages(subjectOf({ testScope: "none" }), { ...judgesWith({}), review: undefined });
    expect(local.stages[1]).toMatchObject({ verdict: "skipped", reason: { code: "disabled" } });
    expect(local.stages[2]).toMatchObject({ verdict: "skipped", reason: { code: "no-model" } });
    expect(local.stages[5]).toMatchObject({ verdict: "pass" });
  });

  it("stops when it is cancelled, without a verdict that counts", async () => {
    const controller = new AbortController();
    const judges = judgesWith({});
    const tests = async () => {
      controller.abort();
      return outcome();
    };
    const cancelling = { ...judges, tests };
    const { stages } = await judgeStages(subjectOf({}, { signal: controller.signal }), cancelling);
    expect(stages[2]).toMatchObject({ verdict: "skipped", reason: { code: "cancelled" } });
    expect(judgedBy(stages, 90)).toMatchObject({ verdict: "unable", reason: { code: "cancelled" } });
  });

  it("adds up what the stages cost", async () => {
    const judges = judgesWith({ errors: outcome({ costUsd: 0.25 }), proof: outcome({ costUsd: 0.5 }) });
    expect((await judgeStages(subjectOf(), judges)).costUsd).toBe(0.75);
  });
});

describe("what a person waives", () => {
  const waiver = { by: "pat", reason: "Known.", at: "2026-11-17T10:00:00.000Z" };
  const failed = (findings: GateFinding[], score = 90): GateReport => {
    const stages = reported({ errors: settledStage("errors", outcome({ verdict: "fail", score, findings })) });
    return gateReport("gate-1", { ...judgedBy(stages, 90), stages });
  };

  it("is judged again by what was recorded, without the cap [S1-QG-13 S1-QG-22]", () => {
    const before = failed([finding()]);
    expect(before).toMatchObject({ verdict: "fail" });
    const after = withWaiver(before, "f1", waiver);
    expect(after).toMatchObject({ verdict: "pass" });
    expect(after.stages[4]).toMatchObject({ verdict: "pass", score: 90, findings: [{ state: "waived", waiver }] });
    expect(withWaiver(after, "f1", waiver)).toBe(after);
  });

  it("frees a stage only when nothing else is in the way", () => {
    expect(withWaiver(failed([finding(), finding({ id: "f2" })]), "f1", waiver).verdict).toBe("fail");
    expect(withWaiver(failed([finding()], 60), "f1", waiver).verdict).toBe("fail");
  });

  it("accepts a finding, and not what could not be judged beside it", () => {
    const unable = outcome({ verdict: "unable", score: null, reason: { code: "red-unclear", text: "Unclear." } });
    const blocked = outcome({ verdict: "fail", score: 90, findings: [finding()] });
    for (const both of [mergedOutcome(unable, blocked), { ...unable, findings: [finding()] }]) {
      const stages = reported({ completeness: settledStage("completeness", both) });
      const before = gateReport("gate-1", { ...judgedBy(stages, 90), threshold: 90, stages });
      expect(before.verdict).toBe("fail");
      expect(withWaiver(before, "f1", waiver)).toMatchObject({ verdict: "unable", reason: unable.reason });
    }
  });

  it("is no failing test, no running gate and no unknown finding", () => {
    const stages = reported({ tests: settledStage("tests", outcome({ verdict: "fail", findings: [finding()] })) });
    expect(() => withWaiver(gateReport("g", { stages }), "f1", waiver)).toThrow(/can't be waived/);
    expect(() => withWaiver(failed([finding()]), "f9", waiver)).toThrow(/no finding/);
    expect(() => withWaiver({ ...failed([finding()]), state: "running" }, "f1", waiver)).toThrow(/still running/);
  });

  it("counts again in the next cycle only for the same content", async () => {
    const before = withWaiver(failed([finding({ file: "a.ts" })]), "f1", waiver);
    const again = outcome({ verdict: "fail", findings: [finding({ file: "a.ts" })] });
    const kept = await withEarlierWaivers(again, before, async () => true);
    expect(settledStage("errors", kept)).toMatchObject({ verdict: "pass", findings: [{ state: "waived" }] });
    const another = { ...again, findings: again.findings.map((one) => ({ ...one, code: "unwired" as const })) };
    expect((await withEarlierWaivers(another, before, async () => true)).findings[0]?.state).toBe("open");
    const changed = await withEarlierWaivers(again, before, async () => false);
    expect(settledStage("errors", changed).verdict).toBe("fail");
  });
});

describe("the failure report", () => {
  it("names what failed and each finding, those that block first [S1-QG-22]", () => {
    const findings = [
      finding({ id: "low", severity: "low", blocks: false, message: "A name is unclear." }),
      finding({ file: "src/a.ts", line: 3, fix: "Check it." }),
      finding({ id: "gone", state: "refuted", message: "Not so." }),
    ];
    const stages = reported({ errors: settledStage("errors", outcome({ score: 80, findings })) });
    expect(
      failureReport(gateReport("gate-1", { ...judgedBy(stages, 95), threshold: 95, stages })),
    ).toMatchInlineSnapshot(`
      "Errors: failed (65 of 100)
      Score: 93.26, needs 95

      1. [high] src/a.ts:3 Wrong.
         Fix: Check it.

      2. [low, optional] A name is unclear."
    `);
    expect(failureReport(gateReport("gate-1"))).toBe("");
  });
});
