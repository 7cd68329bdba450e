import { describe, expect, it } from "vitest";
import type { GateFinding, GateReason, GateReport } from "../../contract/documents/quality/gate.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Run } from "../../contract/runs/run.ts";
import { REVIEWED_STAGES } from "../../contract/words/gate-words.ts";
import type { GateSubject } from "../gates/subject.ts";
import type { TreeChange } from "../trees/tree-source.ts";
import type { Question } from "./model-talk.ts";
import { reviewJudge } from "./review-judge.ts";
import type { ReviewOrder } from "./reviewers.ts";
import { reviewFindingId } from "./stage-findings.ts";

const OLD = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const FILES: Record<string, string> = { "now a.ts": OLD, "same a.ts": OLD, "now b.ts": OLD, "base a.ts": "1\n" };
/** Since the tree that was judged before, line 2 of a.ts is another. */
const DIFFERENCE = "diff --git a/a.ts b/a.ts\n@@ -2,1 +2,1 @@\n-two\n+2\n";

const change = (path: string, additions = 9): TreeChange => ({
  path,
  status: "added",
  additions,
  deletions: 0,
  binary: false,
});
const find = (severity: string, file: string, line: number, message: string) => ({ severity, file, line, message });
const review = (findings: object[] = [], more: object = {}) => ({
  stages: REVIEWED_STAGES.map((name) => ({ name, score: 95, findings: name === "errors" ? findings : [] })),
  integrated: true,
  ...more,
});

interface Setup {
  answers: (order: ReviewOrder) => unknown;
  /** What the second reader says of a finding; undefined: nothing that can be read. */
  second?: (id: string) => { verdict: string; reason: string } | undefined;
  subject?: Partial<GateSubject>;
  /** Why the reviewer did not come to its end, whatever it answered. */
  unable?: GateReason;
}

async function judge({ answers, second = () => undefined, subject = {}, unable }: Setup) {
  const orders: ReviewOrder[] = [];
  const questions: Question[] = [];
  const reading = { model: "own/m", costUsd: 0.5, text: "" };
  const judged = await reviewJudge({
    reviewer: async (order) => {
      orders.push(order);
      const value = answers(order);
      return { ...reading, values: value === undefined ? [] : [value], ...(unable !== undefined && { unable }) };
    },
    talks: {
      ask: async (question) => {
        questions.push(question);
        const ids = [...question.prompt.matchAll(/^ {4}(rev-\S+) /gm)].map(([, id = ""]) => id);
        return { ...reading, values: [{ findings: ids.map((id) => ({ id, ...second(id) })) }] };
      },
    },
    modelsFor: () => ({ review: { value: "own/m", because: "set" }, second: "own/second" }),
    redact: (_, text) => text.replaceAll("hunter2", "[secret]"),
  })({
    ...{
      base: "base",
      baseTree: "base",
      head: "head",
      tree: "now",
      changes: [change("a.ts")],
      cycle: 1,
      projectId: "shop",
    },
    ...{ checks: {} as GateSubject["checks"], settings: QualityGates.parse({}), type: "feature" },
    trees: {
      read: async (tree: string, path: string) => {
        const text = FILES[`${tree} ${path}`];
        return text === undefined ? undefined : Buffer.from(text);
      },
      diff: async (from: string) => (from === "before" ? DIFFERENCE : `+${from}`),
      changes: async () => [change("a.ts")],
    } as unknown as GateSubject["trees"],
    signal: new AbortController().signal,
    ...subject,
  });
  return { judged, orders, questions, errors: judged.errors };
}

const earlier = (message: string, of: Partial<GateFinding> = {}): GateFinding => ({
  ...{
    id: reviewFindingId("errors", { file: "a.ts", message }),
    code: "review",
    severity: "high",
    file: "a.ts",
    line: 1,
  },
  ...{ message, state: "open", blocks: true },
  ...of,
});
const secondCycle = (findings: GateFinding[], more: Partial<GateSubject> = {}): Partial<GateSubject> => ({
  cycle: 2,
  before: { tree: "before", stages: [{ name: "errors", findings }] } as unknown as GateReport,
  ...more,
});
const answering = (answers: { comment: string; answer: string; disputed?: true }[]) =>
  ({ id: "run-1", result: { output: "Done.", answers } }) as unknown as Run;

describe("the reviewed stages", () => {
  it("are scored from 0 to 100 each, and cost what was asked together", async () => {
    const { judged } = await judge({ answers: () => review() });
    for (const stage of REVIEWED_STAGES)
      expect(judged[stage]).toMatchObject({ verdict: "pass", score: 95, costUsd: 0.125 });
  });

  it("are unable where the reviewer was stopped after its answer, or does not say whether the change is used", async () => {
    const stopped = await judge({ answers: () => review(), unable: { code: "budget", text: "No budget." } });
    for (const stage of REVIEWED_STAGES)
      expect(stopped.judged[stage]).toMatchObject({ verdict: "unable", score: null, reason: { code: "budget" } });
    const { judged } = await judge({ answers: () => review([], { integrated: undefined }) });
    expect(REVIEWED_STAGES.map((stage) => judged[stage].verdict)).toEqual(["pass", "pass", "pass", "unable"]);
  });

  it("put what would stop the change to another model, with the code, and drop what it refutes", async () => {
    const answers = () =>
      review([
        find("high", "a.ts", 2, "Wrong."),
        find("critical", "a.ts", 3, "Worse."),
        find("low", "a.ts", 4, "Odd."),
      ]);
    const { errors, questions } = await judge({
      answers,
      second: (id) =>
        id === reviewFindingId("errors", { file: "a.ts", message: "Worse." })
          ? { verdict: "refuted", reason: "Line 3 is fine." }
          : { verdict: "stands", reason: "So it is." },
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ model: "own/second" });
    expect(questions[0]?.prompt).toContain("    3: 3");
    expect(questions[0]?.prompt).not.toContain("Odd.");
    expect(errors).toMatchObject({ verdict: "fail", score: 65 });
    expect(errors.findings.map(({ message, state }) => [message, state])).toEqual([
      ["Worse.", "refuted"],
      ["Wrong.", "open"],
      ["Odd.", "open"],
    ]);
    expect(errors.findings[0]?.replies).toEqual([{ by: "second reviewer", text: "Line 3 is fine." }]);
  });

  it("are unable where a low score is left without a finding that holds: its author could not fix anything", async () => {
    const low = (findings: object[]) => ({
      ...review(),
      stages: REVIEWED_STAGES.map((name) => ({
        name,
        score: name === "errors" ? 20 : 95,
        findings: name === "errors" ? findings : [],
      })),
    });
    const unable = { verdict: "unable", score: null, reason: { code: "unreadable-answer" } };
    expect((await judge({ answers: () => low([]) })).errors).toMatchObject(unable);
    expect((await judge({ answers: () => low([find("high", "none.ts", 1, "Wrong.")]) })).errors).toMatchObject(unable);
    const second = () => ({ verdict: "refuted", reason: "It is fine." });
    const refuted = await judge({ answers: () => low([find("high", "a.ts", 1, "Wrong.")]), second });
    expect(refuted.errors).toMatchObject(unable);
    const said = await judge({ answers: () => low([find("medium", "a.ts", 1, "Odd.")]) });
    expect(said.errors).toMatchObject({ verdict: "fail", score: 20 });
    const still = await judge({ answers: () => low([]), subject: secondCycle([earlier("Wrong.")]) });
    expect(still.errors).toMatchObject({ verdict: "fail", score: 20 });
  });

  it("keep a finding whose refutation can't be read", async () => {
    const { errors } = await judge({
      answers: () => review([find("critical", "a.ts", 2, "Wrong.")]),
      second: () => ({ verdict: "refuted", reason: "" }),
    });
    expect(errors).toMatchObject({ verdict: "fail", score: 40, findings: [{ state: "open", blocks: true }] });
  });

  it("drop and count what has no place in the diff or the tree", async () => {
    const { errors } = await judge({
      answers: () => review([find("critical", "a.ts", 10, "Wrong."), find("high", "c.ts", 1, "Wrong.")]),
    });
    expect(errors).toMatchObject({ verdict: "pass", score: 95, findings: [] });
    expect(errors.evidence[0]).toMatchObject({ dropped: 2 });
  });

  it("fail completeness with at most 65 where the change is not integrated", async () => {
    const { judged } = await judge({ answers: () => review([], { integrated: false }) });
    expect(judged.completeness).toMatchObject({
      verdict: "fail",
      score: 65,
      findings: [{ code: "unwired", severity: "high" }],
    });
    expect(judged.errors.verdict).toBe("pass");
  });

  it("hide secrets in findings and answers", async () => {
    const { errors } = await judge({ answers: () => review([find("low", "a.ts", 1, "It says hunter2.")]) });
    expect(JSON.stringify(errors)).not.toContain("hunter2");
    expect(errors.findings[0]?.message).toBe("It says [secret].");
  });

  it("are unable, each alone, where the answer can't be read", async () => {
    const { judged } = await judge({
      answers: () => ({ stages: [{ name: "errors", score: 90, findings: [] }], integrated: true }),
    });
    expect(judged.errors.verdict).toBe("pass");
    expect(judged.architecture).toMatchObject({
      verdict: "unable",
      score: null,
      reason: { code: "unreadable-answer" },
    });
  });

  it("need a project", async () => {
    const { judged, orders } = await judge({ answers: () => review(), subject: { projectId: undefined } });
    expect([judged.errors.reason?.code, orders.length]).toEqual(["no-model", 0]);
  });
});

describe("a large change", () => {
  it("is read in parts, each with its share, and is as good as the weakest", async () => {
    const { judged, orders } = await judge({
      answers: ({ number }) => review(number === 2 ? [find("high", "b.ts", 1, "Wrong.")] : []),
      subject: { changes: [change("a.ts", 1_500), change("b.ts", 1_500)] },
    });
    expect(orders.map(({ number }) => number)).toEqual([1, 2]);
    expect(orders[1]?.part).toContain("yours is part 2");
    expect(judged.errors).toMatchObject({ verdict: "fail", score: 65 });
    expect(judged.errors.evidence).toContainEqual({ type: "note", text: "The change was reviewed in 2 parts." });
  });

  it("does not pass where files were left out", async () => {
    const changes = Array.from({ length: 9 }, (_, at) => change(`f${at}.ts`, 2_000));
    const { judged } = await judge({ answers: () => review(), subject: { changes } });
    expect(judged.errors).toMatchObject({
      verdict: "unable",
      reason: { code: "no-review", text: expect.stringContaining("1 file was not reviewed") },
    });
  });
});

describe("a later cycle", () => {
  const open = earlier("It never ends.");

  it("asks about each earlier finding, shows the difference, and keeps ids", async () => {
    const { errors, orders } = await judge({
      answers: () => review([], { earlier: [{ id: open.id, status: "fixed", reason: "It ends." }] }),
      subject: secondCycle([open]),
    });
    expect(orders[0]).toMatchObject({ earlier: [open.id] });
    expect(orders[0]?.part).toContain(`    ${open.id} high a.ts:1: It never ends.`);
    expect(orders[0]?.part).toContain("    +2");
    expect(errors).toMatchObject({ verdict: "pass", findings: [{ id: open.id, state: "resolved", blocks: false }] });
  });

  it.each([
    ["still there", { earlier: [{ id: open.id, status: "still" }] }],
    ["not answered", {}],
  ])("fails while an earlier finding is %s, without a second look at it", async (_, more) => {
    const { errors, questions } = await judge({ answers: () => review([], more), subject: secondCycle([open]) });
    expect(errors).toMatchObject({
      verdict: "fail",
      score: 65,
      findings: [{ id: open.id, state: "open", blocks: true }],
    });
    expect(questions).toEqual([]);
  });

  it("stops for new findings only where they concern the difference or are critical", async () => {
    const findings = [
      find("high", "a.ts", 2, "In it."),
      find("high", "a.ts", 9, "Late."),
      find("critical", "a.ts", 9, "Grave."),
    ];
    const { errors } = await judge({ answers: () => review(findings), subject: secondCycle([]) });
    expect(errors.findings.map(({ message, blocks }) => [message, blocks])).toEqual([
      ["Grave.", true],
      ["In it.", true],
      ["Late.", false],
    ]);
    const first = await judge({ answers: () => review([findings[1] ?? {}]), subject: { cycle: 2 } });
    expect(first.errors).toMatchObject({ verdict: "fail", findings: [{ message: "Late.", blocks: true }] });
    const late = await judge({ answers: () => review([findings[1] ?? {}]), subject: secondCycle([]) });
    expect(late.errors).toMatchObject({ verdict: "pass", score: 95 });
  });

  it.each([
    ["refuted", { verdict: "refuted", reason: "The loop ends." }, "refuted", "pass"],
    ["stands", { verdict: "stands", reason: "It does not." }, "open", "fail"],
    ["is not decided", undefined, "disputed", "fail"],
  ])("has another reviewer decide what the author disputes: it %s", async (_, said, state, verdict) => {
    const run = answering([{ comment: open.id, answer: "It ends at 10.", disputed: true }]);
    const { errors, questions } = await judge({
      answers: () => review([], { earlier: [{ id: open.id, status: "still" }] }),
      second: () => said,
      subject: secondCycle([open], { run }),
    });
    expect(questions[0]?.prompt).toContain("> It ends at 10.");
    expect(errors).toMatchObject({ verdict, findings: [{ id: open.id, state }] });
    expect(errors.findings[0]?.replies?.[0]).toEqual({ by: "author", text: "It ends at 10." });
  });

  it.each([
    ["same", "refuted", "pass"],
    ["before", "open", "fail"],
  ])("keeps what was decided about a finding for the same content only (%s)", async (tree, state, verdict) => {
    const refuted = earlier("Grave.", { state: "refuted", severity: "critical", blocks: false });
    const before = { tree, stages: [{ name: "errors", findings: [refuted] }] } as unknown as GateReport;
    const { errors } = await judge({
      answers: () => review([find("critical", "a.ts", 2, "Grave.")]),
      subject: secondCycle([], { before }),
    });
    expect(errors).toMatchObject({ verdict, findings: [{ id: refuted.id, state }] });
  });

  it("takes an answer that does not dispute for none", async () => {
    const run = answering([{ comment: open.id, answer: "Changed." }]);
    const { errors } = await judge({
      answers: () => review([], { earlier: [{ id: open.id, status: "still" }] }),
      subject: secondCycle([open], { run }),
    });
    expect(errors.findings).toMatchObject([{ state: "open" }]);
  });
});
