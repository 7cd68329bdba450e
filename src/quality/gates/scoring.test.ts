import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GateFinding, GateStage } from "../../contract/documents/quality/gate.ts";
import { GATE_VERDICTS, STAGE_TABLE, STAGES, type StageName } from "../../contract/words/gate-words.ts";
import { aggregateScore, isBlocking, judgedBy, mergedOutcome, settledStage } from "./scoring.ts";
import type { StageOutcome } from "./subject.ts";

const finding = (more: Partial<GateFinding> = {}): GateFinding => ({
  ...{ id: "f", code: "review", severity: "high", message: "Wrong.", state: "open", blocks: true },
  ...more,
});
const outcome = (more: Partial<StageOutcome> = {}): StageOutcome => ({
  ...{ verdict: "pass", score: 100, findings: [], evidence: [] },
  ...more,
});
/** Stages by name; those that are not given are skipped. */
const stagesOf = (given: Partial<Record<StageName, Partial<StageOutcome>>>): GateStage[] =>
  STAGES.map((name) =>
    settledStage(
      name,
      given[name] === undefined
        ? outcome({ verdict: "skipped", score: null, reason: { code: "disabled", text: "" } })
        : outcome(given[name]),
    ),
  );
const judged = (given: Parameters<typeof stagesOf>[0], threshold = 90) => judgedBy(stagesOf(given), threshold);

const anyFinding: fc.Arbitrary<GateFinding> = fc.record({
  ...{ id: fc.string(), code: fc.constant("review" as const), message: fc.string() },
  severity: fc.constantFrom("critical", "high", "medium", "low"),
  state: fc.constantFrom("open", "refuted", "resolved", "waived", "disputed"),
  blocks: fc.boolean(),
});
const anyOutcome: fc.Arbitrary<StageOutcome> = fc.record({
  verdict: fc.constantFrom(...GATE_VERDICTS),
  score: fc.option(fc.oneof(fc.double({ min: -50, max: 150 }), fc.constant(Number.NaN)), { nil: null }),
  findings: fc.array(anyFinding, { maxLength: 3 }),
  evidence: fc.constant([]),
});
const anyStages = fc
  .tuple(...STAGES.map(() => anyOutcome))
  .map((outcomes) => STAGES.map((name, at) => settledStage(name, outcomes[at] ?? outcome())));
const threshold = fc.integer({ min: 70, max: 95 });

describe("the stages of a gate", () => {
  const tableOf = (from: number, to: number) =>
    STAGES.slice(from, to).map((name) => [name, STAGE_TABLE[name].kind, STAGE_TABLE[name].weight]);

  it("begin with two binary ones and the code's shape [S1-QG-02 S1-QG-03 S1-QG-04 S1-QG-05]", () => {
    expect(tableOf(0, 4)).toEqual([
      ["syntax", "binary", 0],
      ["tests", "binary", 20],
      ["architecture", "weighted", 25],
      ["simplicity", "weighted", 10],
    ]);
  });

  it("end with errors, completeness and the spec [S1-QG-06 S1-QG-07 S1-QG-08 S1-QG-09 S1-QG-10]", () => {
    expect(tableOf(4, 10)).toEqual([
      ["errors", "weighted", 25],
      ["completeness", "weighted", 25],
      ["spec_compliance", "weighted", 20],
      ["traceability", "weighted", 15],
      ["rollout_safety", "weighted", 10],
    ]);
  });

  it("score exactly 100 or 0 where they are binary, whatever their judge says [S1-QG-11]", () => {
    expect(settledStage("tests", outcome({ score: 55 }))).toMatchObject({ verdict: "pass", score: 100 });
    expect(settledStage("syntax", outcome({ verdict: "fail", score: 99 }))).toMatchObject({
      verdict: "fail",
      score: 0,
    });
    expect(settledStage("tests", outcome({ verdict: "unable", score: 80 }))).toMatchObject({
      verdict: "unable",
      score: null,
    });
    fc.assert(fc.property(anyOutcome, (given) => [0, 100, null].includes(settledStage("tests", given).score)));
  });

  it.each<[string, Partial<StageOutcome>, Partial<GateStage>]>([
    ["passes from 70", { score: 70 }, { verdict: "pass", score: 70 }],
    ["fails below 70", { score: 69.9 }, { verdict: "fail", score: 69.9 }],
    ["is held between 0 and 100", { score: 120 }, { verdict: "pass", score: 100 }],
    [
      "is capped by a critical finding",
      { findings: [finding({ severity: "critical" })] },
      { verdict: "fail", score: 40, uncapped: 100 },
    ],
    ["is capped by a high finding", { score: 90, findings: [finding()] }, { verdict: "fail", score: 65, uncapped: 90 }],
    ["keeps a score below the cap", { score: 20, findings: [finding()] }, { verdict: "fail", score: 20 }],
    [
      "is held by a disputed finding",
      { findings: [finding({ state: "disputed" })] },
      { verdict: "fail", score: 65, uncapped: 100 },
    ],
    [
      "is not held by a refuted finding",
      { findings: [finding({ state: "refuted" })] },
      { verdict: "pass", score: 100 },
    ],
    ["is not held by advice", { findings: [finding({ blocks: false })] }, { verdict: "pass", score: 100 }],
    ["is unable with a score that is no number", { score: Number.NaN }, { verdict: "unable", score: null }],
  ])("a weighted one %s [S1-QG-12]", (_, given, expected) => {
    const stage = settledStage("errors", outcome(given));
    expect(stage).toMatchObject(expected);
    expect(stage.uncapped).toBe(expected.uncapped);
  });

  it("take the worse of proof and review for completeness", () => {
    const [good, bad] = [outcome({ score: 95 }), outcome({ verdict: "fail", score: null, findings: [finding()] })];
    expect(settledStage("completeness", mergedOutcome(bad, good))).toMatchObject({ verdict: "fail", score: 65 });
    const skipped = outcome({ verdict: "skipped", score: null });
    expect(mergedOutcome(skipped, good)).toMatchObject({ verdict: "pass", score: 95 });
    expect(mergedOutcome(outcome({ score: 72 }), good)).toMatchObject({ verdict: "pass", score: 72 });
    expect(mergedOutcome(outcome({ verdict: "unable", score: null }), good).verdict).toBe("unable");
    expect(mergedOutcome(skipped, skipped)).toMatchObject({ verdict: "skipped", score: null });
  });
});

describe("the verdict", () => {
  const local = { syntax: {}, tests: {} };
  it.each<[string, Parameters<typeof stagesOf>[0], object]>([
    [
      "passes when all that ran passed and the average is enough",
      { ...local, errors: { score: 90 } },
      { verdict: "pass", score: 90 },
    ],
    ["fails when the average is too low", { ...local, errors: { score: 89 } }, { verdict: "fail", score: 89 }],
    [
      "fails when one stage failed, whatever the average",
      { ...local, architecture: {}, simplicity: { score: 60 }, errors: {}, completeness: {} },
      { verdict: "fail" },
    ],
    ["passes on binary stages alone, without a score", local, { verdict: "pass", score: null }],
    ["passes when only one of them ran", { syntax: {} }, { verdict: "pass" }],
    ["is unable when neither ran", { errors: {} }, { verdict: "unable", reason: { code: "nothing-ran" } }],
    ["is unable when one stage is", { ...local, errors: { verdict: "unable" } }, { verdict: "unable" }],
    [
      "fails when one stage is unable and another failed",
      { syntax: { verdict: "unable" }, tests: { verdict: "fail" } },
      { verdict: "fail" },
    ],
  ])("%s [S1-QG-13 S1-QG-22]", (_, given, expected) => {
    expect(judged(given)).toMatchObject(expected);
  });

  it("takes the average over the stages that ran, by weight, without the binary ones [S1-QG-03 S1-QG-12]", () => {
    const stages = stagesOf({
      ...local,
      architecture: { score: 80 },
      simplicity: { score: 100 },
      errors: { verdict: "unable", score: 0 },
    });
    expect(aggregateScore(stages)).toBeCloseTo((80 * 25 + 100 * 10) / 35, 2);
    expect(aggregateScore(stagesOf(local))).toBeNull();
  });

  it("does not round up to the threshold [S1-QG-13]", () => {
    expect(judged({ ...local, architecture: { score: 89.999 } })).toMatchObject({ verdict: "fail" });
    expect(
      judged({ ...local, architecture: { score: 90 }, errors: { score: 90 }, completeness: { score: 90 } }).verdict,
    ).toBe("pass");
  });

  it("never is pass with a finding that blocks, or with a stage that failed or is unable [S1-QG-13]", () => {
    fc.assert(
      fc.property(anyStages, threshold, (stages, least) => {
        const { verdict, score } = judgedBy(stages, least);
        if (verdict !== "pass") return;
        expect(stages.flatMap(({ findings }) => findings).filter(isBlocking)).toEqual([]);
        expect(stages.map((stage) => stage.verdict)).not.toContain("fail");
        expect(stages.map((stage) => stage.verdict)).not.toContain("unable");
        expect(score === null || score >= least).toBe(true);
        expect(stages.slice(0, 2).some((stage) => stage.verdict === "pass")).toBe(true);
      }),
    );
  });

  it("never becomes pass because a stage could not be judged", () => {
    fc.assert(
      fc.property(anyStages, fc.nat({ max: 8 }), threshold, (stages, at, least) => {
        const name = STAGES[at] ?? "syntax";
        const unable = settledStage(name, outcome({ verdict: "unable", score: null }));
        const other = stages.map((stage) => (stage.name === name ? unable : stage));
        expect(judgedBy(other, least).verdict).not.toBe("pass");
      }),
    );
  });

  it("does not depend on stages that do not apply [S1-QG-12]", () => {
    fc.assert(
      fc.property(anyStages, (stages) => {
        const ran = stages.filter(({ verdict }) => verdict !== "skipped");
        expect(aggregateScore(ran)).toBe(aggregateScore(stages));
      }),
    );
  });
});

it.each([
  ["was not judged yet", { verdict: undefined }],
  ["was left out because of an early exit", { verdict: "skipped", reason: { code: "early-exit", text: "" } }],
  ["was cancelled", { verdict: "skipped", reason: { code: "cancelled", text: "" } }],
] as const)("is never pass where a stage %s", (_, part) => {
  const stages = stagesOf({ syntax: {}, tests: {}, errors: {} });
  expect(judgedBy(stages, 90).verdict).toBe("pass");
  const other = stages.map((stage) => (stage.name === "errors" ? ({ ...stage, ...part } as GateStage) : stage));
  expect(judgedBy(other, 90).verdict).toBe("unable");
});
