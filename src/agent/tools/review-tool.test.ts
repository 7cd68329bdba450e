import { describe, expect, it } from "vitest";
import { REVIEWED_STAGES } from "../../contract/words/gate-words.ts";
import { asRunReview, jsonIn, readReview, reviewTool } from "./review-tool.ts";

const FINDING = { severity: "high", file: "a.ts", line: 3, message: "It never ends.", fix: "Count down." };
const stages = (of: object = {}) => REVIEWED_STAGES.map((name) => ({ name, score: 90, findings: [], ...of }));
const REVIEW = { stages: stages(), integrated: true };
const signal = new AbortController().signal;

describe("a review that a model sends", () => {
  it("[S1-QG-04] [S1-QG-05] [S1-QG-06] [S1-QG-07] has a score and findings for each of the four stages", () => {
    const {
      stages: read,
      problems,
      integrated,
    } = readReview({ stages: stages({ findings: [FINDING] }), integrated: false }, []);
    expect(problems).toEqual([]);
    expect(integrated).toBe(false);
    for (const name of ["architecture", "simplicity", "errors", "completeness"] as const)
      expect(read[name]).toEqual({ score: 90, findings: [FINDING], leftOut: 0 });
  });

  it.each([
    ["nothing", undefined, /^stages: is missing/],
    ["a text", "score: 100", /^stages: is missing/],
    ["a list", [REVIEW], /^stages: is missing/],
    ["stages that are no list", { ...REVIEW, stages: { architecture: 100 } }, /^stages: is missing/],
    [
      "an unknown stage",
      { ...REVIEW, stages: [...stages(), { name: "taste", score: 100 }] },
      /stages\.4\.name: must be/,
    ],
    ["a stage that is a text", { ...REVIEW, stages: [...stages(), "taste"] }, /stages\.4\.name/],
    ["a stage twice", { ...REVIEW, stages: [...stages(), stages()[0]] }, /architecture is there twice/],
    ["a missing stage", { ...REVIEW, stages: stages().slice(1) }, /architecture is missing/],
    ["a score above 100", { ...REVIEW, stages: stages({ score: 101 }) }, /score: must be a number from 0 to 100/],
    ["a score below 0", { ...REVIEW, stages: stages({ score: -1 }) }, /score: must/],
    ["a score that is none", { ...REVIEW, stages: stages({ score: Number.NaN }) }, /score: must/],
    [
      "a low score that nothing explains",
      { ...REVIEW, stages: stages({ score: 69 }) },
      /score: below 70 needs a finding/,
    ],
    ["a score that is a text", { ...REVIEW, stages: stages({ score: "100" }) }, /score: must/],
    ["findings that are no list", { ...REVIEW, stages: stages({ findings: "none" }) }, /findings: must be a list/],
    [
      "an unknown severity",
      { ...REVIEW, stages: stages({ findings: [{ ...FINDING, severity: "blocker" }] }) },
      /severity: must/,
    ],
    [
      "a finding without words",
      { ...REVIEW, stages: stages({ findings: [{ ...FINDING, message: " " }] }) },
      /message: is missing/,
    ],
    [
      "nested garbage",
      { ...REVIEW, stages: stages({ findings: [[[{ severity: FINDING }]]] }) },
      /severity: is missing/,
    ],
    ["no word on integration", { stages: stages() }, /integrated: must be true or false/],
    [
      "too many findings to look through",
      { ...REVIEW, stages: stages({ findings: Array(10_001).fill(FINDING) }) },
      /more than 10000/,
    ],
  ])("is not taken with %s", (_, value, problem) => {
    expect(readReview(value, []).problems.join("; ")).toMatch(problem);
  });

  it("keeps the stages that can be read beside one that cannot", () => {
    const [first, ...rest] = stages();
    const { stages: read } = readReview({ ...REVIEW, stages: [{ ...first, score: 1e9 }, ...rest] }, []);
    expect(Object.keys(read)).toEqual(["simplicity", "errors", "completeness"]);
  });

  it("of thousands of findings keeps the worst hundred, and counts the others", () => {
    const findings = [...Array(3_000).fill({ ...FINDING, severity: "low" }), { ...FINDING, severity: "critical" }];
    const { architecture } = readReview({ ...REVIEW, stages: stages({ findings }) }, []).stages;
    expect(architecture?.findings).toHaveLength(100);
    expect([architecture?.findings[0]?.severity, architecture?.leftOut]).toEqual(["critical", 2_901]);
  });

  it("has its texts cut, and a line only where it is one", () => {
    const long = { ...FINDING, message: "m".repeat(5_000), fix: "f".repeat(5_000), line: 1.5, extra: { deep: [] } };
    const { architecture } = readReview({ ...REVIEW, stages: stages({ findings: [long] }) }, []).stages;
    const [finding] = architecture?.findings ?? [];
    expect([finding?.message.length, finding?.fix?.length]).toEqual([2_001, 2_001]);
    expect(finding).not.toHaveProperty("line");
    expect(finding).not.toHaveProperty("extra");
  });

  it("must answer each earlier finding once, and none that it was not asked about", () => {
    const earlier = [
      { id: "rev-1", status: "fixed" },
      { id: "rev-1", status: "still" },
      { id: "rev-9", status: "fixed" },
      { id: "rev-2", status: "gone" },
    ];
    const read = readReview({ ...REVIEW, earlier }, ["rev-1", "rev-2"]);
    expect(read.earlier).toEqual([{ id: "rev-1", status: "fixed" }]);
    expect(read.problems).toEqual(["earlier: rev-2 has no answer"]);
  });
});

describe("submit_review", () => {
  const submit = (tool: ReturnType<typeof reviewTool>, input: unknown) =>
    tool.run(typeof input === "string" ? input : JSON.stringify(input), { callId: "1", signal });

  it("says what is missing and takes the review when it is sent again", async () => {
    const tool = reviewTool([]);
    expect(await submit(tool, { stages: [] })).toMatchObject({
      failed: true,
      output: expect.stringContaining("again"),
    });
    expect(await submit(tool, REVIEW)).toEqual({ output: "Review saved. End your turn now." });
  });

  it("asks once more, and not again", async () => {
    const tool = reviewTool([]);
    await submit(tool, "I give full marks.");
    expect(await submit(tool, "{}")).toMatchObject({ failed: true, output: expect.stringContaining("End your turn") });
    expect(await submit(tool, REVIEW)).toMatchObject({ failed: true });
  });

  it("is shown with what any review has: a verdict and findings, worst first", () => {
    const mixed = stages({ findings: [{ ...FINDING, severity: "low" }, FINDING] });
    const { review, summary } = asRunReview(readReview({ stages: mixed, integrated: true }, []), []);
    expect(review.verdict).toBe("request_changes");
    expect(review.findings[0]).toEqual(FINDING);
    expect(review.stages).toContainEqual({ name: "errors", score: 90 });
    expect(summary).toContain("Architecture: 90");
    expect(asRunReview(readReview(REVIEW, []), []).review.verdict).toBe("approve");
    expect(asRunReview(readReview({ ...REVIEW, integrated: false }, []), []).review.verdict).toBe("request_changes");
    expect(jsonIn("{")).toBeUndefined();
  });

  it("is not shown as approved while a finding of the cycle before is there, or has no answer", () => {
    const verdictOf = (earlier?: object[]) =>
      asRunReview(readReview({ ...REVIEW, earlier }, ["rev-1"]), ["rev-1"]).review.verdict;
    expect(verdictOf([{ id: "rev-1", status: "fixed" }])).toBe("approve");
    expect(verdictOf([{ id: "rev-1", status: "still" }])).toBe("request_changes");
    expect(verdictOf()).toBe("request_changes");
  });
});
