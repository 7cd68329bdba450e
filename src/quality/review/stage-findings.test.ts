import { describe, expect, it } from "vitest";
import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import { REVIEWED_STAGES } from "../../contract/words/gate-words.ts";
import {
  answered,
  found,
  type Judged,
  joined,
  knownFindings,
  reviewFindingId,
  stageVerdict,
  withBlocks,
  withoutRepeats,
} from "./stage-findings.ts";

const finding = (of: Partial<GateFinding> = {}): GateFinding => ({
  ...{
    id: "rev-1",
    code: "review",
    severity: "high",
    file: "a.ts",
    line: 1,
    message: "Wrong.",
    state: "open",
    blocks: true,
  },
  ...of,
});
const judged = (of: Partial<GateFinding> = {}, isNew = true): Judged => ({
  stage: "errors",
  finding: finding(of),
  isNew,
});

describe("the score of a stage", () => {
  it.each([
    ["nothing found", 100, [], { score: 100, verdict: "pass" }],
    ["all zeros", 0, [], { score: 0, verdict: "fail" }],
    ["just enough", 70, [], { score: 70, verdict: "pass" }],
    ["too little", 69, [], { score: 69, verdict: "fail" }],
    ["full marks beside a high finding", 100, [finding()], { score: 65, verdict: "fail" }],
    ["full marks beside a critical finding", 100, [finding({ severity: "critical" })], { score: 40, verdict: "fail" }],
    ["less than the cap", 30, [finding()], { score: 30, verdict: "fail" }],
    ["a disputed finding", 100, [finding({ state: "disputed" })], { score: 65, verdict: "fail" }],
    ["a refuted finding", 100, [finding({ state: "refuted", blocks: false })], { score: 100, verdict: "pass" }],
    ["a finding that does not block", 100, [finding({ blocks: false })], { score: 100, verdict: "pass" }],
    ["a medium finding", 100, [finding({ severity: "medium", blocks: false })], { score: 96, verdict: "pass" }],
    [
      "many low findings",
      100,
      Array(90).fill(finding({ severity: "low", blocks: false })),
      { score: 70, verdict: "pass" },
    ],
  ])("[S1-QG-12] is capped by what was found: %s", (_, score, findings, expected) => {
    expect(stageVerdict(score, findings)).toMatchObject(expected);
  });
});

describe("what blocks", () => {
  it.each([
    ["in the first cycle, high", judged(), { cycle: 1, concerns: false }, true],
    ["in the first cycle, medium", judged({ severity: "medium" }), { cycle: 1, concerns: true }, false],
    ["later, new and high, elsewhere", judged(), { cycle: 2, concerns: false }, false],
    ["later, new and high, in the difference", judged(), { cycle: 2, concerns: true }, true],
    ["later, new and critical, elsewhere", judged({ severity: "critical" }), { cycle: 2, concerns: false }, true],
    ["later, from before", judged({}, false), { cycle: 2, concerns: false }, true],
    ["disputed", judged({ state: "disputed" }, false), { cycle: 2, concerns: false }, true],
    ["waived", judged({ state: "waived" }), { cycle: 1, concerns: true }, false],
    ["refuted", judged({ state: "refuted" }), { cycle: 1, concerns: true }, false],
  ])("%s", (_, one, how, blocks) => {
    expect(withBlocks(one, how).finding.blocks).toBe(blocks);
  });
});

describe("a finding of the cycle before", () => {
  it.each([
    ["fixed", undefined, "resolved"],
    ["wrong", undefined, "refuted"],
    ["still", undefined, "open"],
    ["still", "It is not.", "disputed"],
    ["fixed", "It is not.", "resolved"],
  ] as const)("that is %s, disputed with %s, is %s", (status, disputed, state) => {
    const { finding: after } = answered(judged(), { id: "rev-1", status, reason: "Seen." }, disputed);
    expect(after).toMatchObject({
      id: "rev-1",
      state,
      replies: expect.arrayContaining([{ by: "reviewer", text: "Seen." }]),
    });
  });

  it("that nobody answered stays open", () => {
    expect(answered(judged(), undefined).finding.state).toBe("open");
  });

  it("keeps its id when it is found again, whatever its line and spelling, and is then there once", () => {
    const id = reviewFindingId("errors", { file: "a.ts", message: "It never ends!" });
    expect(reviewFindingId("errors", { file: "a.ts", message: "it never  ends" })).toBe(id);
    expect(id.length).toBeLessThanOrEqual(20);
    expect(reviewFindingId("simplicity", { file: "a.ts", message: "It never ends!" })).not.toBe(id);
    const again = found("errors", { severity: "high", file: "a.ts", message: "It never ends." }, []);
    expect(withoutRepeats([{ ...again, isNew: false }, again])).toEqual([{ ...again, isNew: false }]);
  });

  it("that was waived or refuted stays so", () => {
    const again = { severity: "high", file: "a.ts", message: "It never ends." } as const;
    const waiver = { by: "Pat", reason: "Known.", at: "2026-01-01T00:00:00.000Z" };
    const id = reviewFindingId("errors", again);
    expect(found("errors", again, [judged({ id, state: "waived", waiver })]).finding).toMatchObject({
      state: "waived",
      waiver,
    });
    expect(found("errors", again, [judged({ id, state: "refuted" })]).finding.state).toBe("refuted");
    expect(found("errors", again, [judged({ id, state: "resolved" })]).finding.state).toBe("open");
  });

  it("is one that a reviewer found: others are not the reviewer's to answer", () => {
    const stage = (name: "errors" | "tests", ids: string[]) => ({
      ...{ name, kind: "weighted" as const, weight: 1, score: 1, evidence: [] },
      findings: ids.map((id) => finding({ id })),
    });
    const stages = [stage("errors", ["rev-1", "proof-1"]), stage("tests", ["rev-2"])];
    expect(knownFindings({ stages } as never).map((one) => one.finding.id)).toEqual(["rev-1"]);
  });
});

describe("a change that is read in parts", () => {
  const answer = (score: number, of: object = {}) => ({
    stages: Object.fromEntries(REVIEWED_STAGES.map((name) => [name, { score, findings: [], leftOut: 0 }])),
    ...{ integrated: true, earlier: [], problems: [], ...of },
  });

  it("is as good as its weakest part", () => {
    expect(joined([answer(90), answer(60)]).stages.errors?.score).toBe(60);
    expect(joined([answer(90), answer(90, { integrated: false })]).integrated).toBe(false);
  });

  it("has no score where a part has none", () => {
    expect(joined([answer(90), { ...answer(90), stages: {} }]).stages).toEqual({});
    expect(joined([]).stages).toEqual({});
  });
});
