import { expect, it } from "vitest";
import { finding, gateReport, stages } from "../../../test/harness/gate-reports.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { withKeptStages } from "./kept-stages.ts";
import { judgeStages } from "./pipeline.ts";
import { judgedBy } from "./scoring.ts";
import type { GateSubject, Judges, StageOutcome } from "./subject.ts";

const outcome = (verdict: "pass" | "fail"): StageOutcome => ({ verdict, score: null, findings: [], evidence: [] });
const never = async (): Promise<never> => {
  throw new Error("It was judged before.");
};
const judgesOf = (tests: StageOutcome): Judges => ({
  ...{ syntax: async () => outcome("pass"), tests: async () => tests, proof: never, review: never },
  ...{ specCompliance: never, traceability: never, rolloutSafety: never },
});
const subject = {
  ...{ settings: QualityGates.parse({ rolloutSafety: true }), spec: "REQ-001" },
  signal: new AbortController().signal,
} as unknown as GateSubject;
const low = finding("f-1", { severity: "low", blocks: false });
const kept = gateReport("gate-1", { stages: stages({ errors: { score: 80, findings: [low] } }) });
const judged = async (tests: StageOutcome) =>
  (await judgeStages(subject, withKeptStages(judgesOf(tests), kept))).stages;

it("only what a target that moved can break is judged again; scores and findings of the rest are kept", async () => {
  const all = await judged(outcome("pass"));
  expect(all.map(({ name, verdict }) => [name, verdict])).toEqual(kept.stages.map(({ name }) => [name, "pass"]));
  const errors = all.find(({ name }) => name === "errors");
  expect(errors).toMatchObject({ score: 80, findings: [{ id: "f-1" }], evidence: [{ type: "note" }] });
  expect(judgedBy(all, 90)).toMatchObject({ verdict: "pass", score: judgedBy(kept.stages, 90).score });
});

it("what passed before does not count where tests fail now", async () => {
  expect(judgedBy(await judged(outcome("fail")), 90).verdict).toBe("fail");
});

it("a stage that was never judged does not pass by being kept", async () => {
  const left = kept.stages.map(({ verdict, ...stage }) => (stage.name === "errors" ? stage : { ...stage, verdict }));
  const judges = withKeptStages(judgesOf(outcome("pass")), { ...kept, stages: left as typeof kept.stages });
  expect(judgedBy((await judgeStages(subject, judges)).stages, 90).verdict).toBe("unable");
});
