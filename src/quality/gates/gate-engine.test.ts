import { describe, expect, it } from "vitest";
import { gateReport } from "../../../test/harness/gate-reports.ts";
import type { GateReport } from "../../contract/documents/quality/gate.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { type GateVerdict, REVIEWED_STAGES, type StageName } from "../../contract/words/gate-words.ts";
import { LEFT } from "../../runs/plan/gate-reviews.ts";
import { Redactor } from "../../store/secrets/redaction.ts";
import type { LocalChecks } from "../checks/local-checks.ts";
import type { TreeSource } from "../trees/tree-source.ts";
import { earlierOf } from "./earlier-reports.ts";
import { GateEngine } from "./gate-engine.ts";
import type { GateOrder } from "./gate-order.ts";
import { emptyStage } from "./scoring.ts";
import type { GateSubject, Judges, StageOutcome } from "./subject.ts";

const CHANGE = { path: "a.ts", status: "modified", additions: 1, deletions: 0, binary: false } as const;
const passing: StageOutcome = { verdict: "pass", score: 100, findings: [], evidence: [] };
const unable: StageOutcome = {
  ...{ verdict: "unable", score: null, findings: [], evidence: [] },
  reason: { code: "not-detected", text: "There is no compiler." },
};

/** An engine whose reports are in memory, and whose syntax stage answers one after the other. */
function engineWith(syntax: ((subject: GateSubject) => Promise<StageOutcome>)[], more: Partial<Judges> = {}) {
  const reports = new Map<string, GateReport>();
  const pass = async () => passing;
  let asked = 0;
  const judges: Judges = {
    syntax: (subject) => syntax[asked++]?.(subject) ?? pass(),
    ...{ tests: pass, proof: pass, review: undefined, specCompliance: pass, traceability: pass, rolloutSafety: pass },
    ...more,
  };
  const engine = new GateEngine({
    clock: () => new Date("2026-01-01T12:00:00.000Z"),
    judges,
    redactorOf: () => new Redactor([]),
    onStage: () => undefined,
    store: {
      save: async (report) => void reports.set(report.id, report),
      withKey: (_, key) => [...reports.values()].findLast((one) => one.key === key && one.state === "finished"),
      own: (id) => reports.get(id),
      find: (id) => reports.get(id),
    },
  });
  return { engine, reports, asked: () => asked };
}

const orderOf = (id: string): GateOrder => ({
  ...{ id, title: "A change", projectId: "shop", type: "feature", cycle: 1, hasReview: false, isForced: false },
  ground: {
    trees: { changes: async () => [CHANGE] } as unknown as TreeSource,
    ...{ checks: {} as LocalChecks, prefix: "", close: async () => undefined },
  },
  span: { base: "b", baseTree: "b", tree: "t" },
  settings: QualityGates.parse({}),
  toolchain: "node 24",
  change: { actor: { kind: "person", via: "http" } },
});
const judged = async (engine: GateEngine, id: string) => (await engine.begin(orderOf(id))).over;

describe("the same change", () => {
  it("is not judged twice", async () => {
    const { engine, asked } = engineWith([]);
    const first = await judged(engine, "gate-1");
    expect(await judged(engine, "gate-2")).toMatchObject({ id: "gate-2", verdict: first.verdict, costUsd: 0 });
    expect(asked()).toBe(1);
  });

  it("is judged again with other tools or packages", async () => {
    const { engine, asked } = engineWith([]);
    await judged(engine, "gate-1");
    await (await engine.begin({ ...orderOf("gate-2"), toolchain: "node 25" })).over;
    expect(asked()).toBe(2);
  });

  it("is judged again where a person asks for it", async () => {
    const { engine, asked } = engineWith([]);
    await judged(engine, "gate-1");
    await (await engine.begin({ ...orderOf("gate-2"), isForced: true })).over;
    expect(asked()).toBe(2);
  });

  it("under the same id is judged again only where it was interrupted", async () => {
    const { engine, reports, asked } = engineWith([]);
    const forced = { ...orderOf("gate-1"), isForced: true };
    const finished = await (await engine.begin(forced)).over;
    expect(await (await engine.begin(forced)).over).toEqual(finished);
    reports.set("gate-1", { ...finished, verdict: "unable", reason: { code: "interrupted", text: "" } });
    expect((await (await engine.begin(forced)).over).verdict).toBe("pass");
    expect(asked()).toBe(2);
  });

  it("is judged again where it could not be judged before", async () => {
    const { engine } = engineWith([async () => unable]);
    expect(await judged(engine, "gate-1")).toMatchObject({ verdict: "unable" });
    expect((await judged(engine, "gate-2")).verdict).toBe("pass");
  });
});

it("says in its report what limits left out, each once", async () => {
  const { engine } = engineWith([async () => ({ ...passing, cut: ["3 files.", "3 files.", "An output."] })]);
  expect((await judged(engine, "gate-1")).cut).toEqual(["3 files.", "An output."]);
  expect((await judged(engine, "gate-2")).cut).toEqual(["3 files.", "An output."]);
});

describe("a later cycle", () => {
  it("is compared with the last one that was reviewed, not with one that ended before its review", async () => {
    const heard: GateSubject[] = [];
    const { engine } = engineWith([
      async (subject) => {
        heard.push(subject);
        return passing;
      },
    ]);
    const stage = (name: StageName, verdict: GateVerdict) => ({ ...emptyStage(name), verdict });
    const reviewed = gateReport("gate-1", { stages: REVIEWED_STAGES.map((name) => stage(name, "fail")) });
    const early = gateReport("gate-2", {
      stages: [stage("tests", "fail"), ...REVIEWED_STAGES.map((name) => stage(name, "skipped"))],
    });
    expect(earlierOf([early]).reviewed).toBeUndefined();
    const order = { ...orderOf("gate-3"), cycle: 3, ...earlierOf([reviewed, early]) };
    expect(order.before).toBe(early);
    await (await engine.begin(order)).over;
    expect(heard[0]?.before).toBe(reviewed);
  });
});

describe("a gate that is under way", () => {
  /** Says with which reason its signal was aborted. */
  const reasonOf = ({ signal }: GateSubject) =>
    new Promise<StageOutcome>((resolve) => signal.addEventListener("abort", () => resolve(told(signal.reason))));
  const reasons: unknown[] = [];
  const told = (reason: unknown) => {
    reasons.push(reason);
    return passing;
  };

  it("leaves its reviewers to the next start when the daemon stops, and ends as interrupted", async () => {
    const { engine } = engineWith([reasonOf]);
    const { over } = await engine.begin(orderOf("gate-1"));
    await engine.close();
    await expect(over).rejects.toThrow("Guildhall stopped");
    expect(reasons.splice(0)).toEqual([LEFT]);
  });

  it.each([
    ["leaves its reviewers to the next start", LEFT, LEFT],
    ["stops its reviewers where nobody waits for them", undefined, expect.objectContaining({ code: "cancelled" })],
  ])("%s when who asked for it is gone", async (_, reason, expected) => {
    const { engine } = engineWith([reasonOf]);
    const controller = new AbortController();
    const { over } = await engine.begin({ ...orderOf("gate-1"), signal: controller.signal });
    controller.abort(reason);
    await Promise.allSettled([over]);
    expect(reasons.splice(0)).toEqual([expected]);
  });

  it("does not pass when it is cancelled in its last stage", async () => {
    const { engine } = engineWith([], { rolloutSafety: reasonOf });
    const settings = QualityGates.parse({ rolloutSafety: true });
    const { over } = await engine.begin({ ...orderOf("gate-1"), settings });
    await expect
      .poll(() => engine.live("gate-1")?.stages.find(({ name }) => name === "traceability")?.verdict)
      .toBeDefined();
    await engine.cancel("gate-1", orderOf("gate-1").change);
    expect(await over).toMatchObject({ verdict: "unable", score: null, reason: { code: "cancelled" } });
    reasons.splice(0);
  });

  it("stops its reviewers when it is cancelled", async () => {
    const { engine } = engineWith([reasonOf]);
    const { over } = await engine.begin(orderOf("gate-1"));
    expect(await engine.cancel("gate-1", orderOf("gate-1").change)).toBe(true);
    expect(await over).toMatchObject({ verdict: "unable", reason: { code: "cancelled" } });
    expect(reasons.splice(0)).toEqual([expect.objectContaining({ code: "cancelled" })]);
  });
});

it("a target that moved: what another report says of the same difference is kept, and so is its key apart", async () => {
  const { engine } = engineWith([]);
  const kept = gateReport("gate-1", { key: "k" });
  const alone = await judged(engine, "gate-2");
  const merged = await (await engine.begin({ ...orderOf("gate-3"), onto: "c", kept })).over;
  const review = ({ stages }: GateReport) => stages.find(({ name }) => name === "architecture")?.verdict;
  expect([review(alone), review(merged)]).toEqual(["skipped", "pass"]);
  expect(merged).toMatchObject({ verdict: "pass", onto: "c" });
  expect(merged.key).not.toBe(alone.key);
});
