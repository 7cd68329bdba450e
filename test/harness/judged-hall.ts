import type { GateFinding, GateReport } from "../../src/contract/documents/quality/gate.ts";
import { eventually, type Hall } from "./daemon.ts";
import { finding, gateReport, placeReport, stages } from "./gate-reports.ts";
import { hallOver, repository, writing } from "./repository.ts";
import { PROJECT, runOf, spawnRun, untilOver } from "./spawned-runs.ts";
import type { Cleaner } from "./temporary-folder.ts";

const BEFORE = Array.from({ length: 40 }, (_, at) => `export const price${at} = ${at};\n`).join("");
const AFTER = `${BEFORE.replace("price2 = 2", "price2 = 20")}export const discount = (total) => total * 0.8;\n`;

/** Text that tries to be something else than text. */
export const HOSTILE =
  '<script>document.title = "taken"</script> [x](javascript:alert(1)) \u202egnirts\u202c \u001b[31mred <img src=x onerror=alert(1)>';

export interface JudgedHall {
  hall: Hall;
  /** Waits for review; its newest report is `gate-2`, the one before `gate-1`. */
  runId: string;
  taskId: string;
  first: GateReport;
  second: GateReport;
}

/** A project in a repository with a result that was judged twice: the first report failed, the second one too. */
export async function judgedHall(empty: Hall, later?: Cleaner): Promise<JudgedHall> {
  const repo = repository({ "src/prices.js": BEFORE, "README.md": "# Shop\n" }, "work", later);
  const playbooks = { play: writing({ "src/prices.js": AFTER, "src/a b 🛒.js": "export {};\n" }) };
  const config = { constraints: { requireReview: true } };
  const hall = await hallOver(empty, { root: repo.root, config, playbooks });
  const runId = await spawnRun(hall, "play", "Add a discount");
  await untilOver(hall, runId);
  const { taskId } = await runOf(hall, runId);
  const [first, second] = reportsOf(runId, taskId);
  for (const report of [first, second]) placeReport(hall.workspace, report);
  await untilServed(hall, second.id);
  return { hall, runId, taskId, first, second };
}

export async function untilServed(hall: Hall, id: string): Promise<void> {
  await eventually(
    () => hall.call("GET", `/api/gates/${id}` as "/api/gates/x"),
    ({ status }) => status === 200,
  );
}

const FIXED = finding("f-tests", {
  ...{ code: "test-failed", severity: "critical", file: "test/prices.test.js", line: 7 },
  message: "discount is applied twice: expected 80, got 64",
});

const STANDING = finding("f-round", {
  ...{ severity: "high", file: "src/prices.js", line: 41 },
  message: "The discount is not rounded to whole cents.",
  fix: "Round once, at the end.",
  requirements: ["REQ-004"],
  replies: [{ by: "run:author", text: "Prices are whole cents already." }],
});

function reportsOf(runId: string, taskId: string): [GateReport, GateReport] {
  const common = { projectId: PROJECT, runId, taskId, title: "Add a discount", files: 2, additions: 3, deletions: 1 };
  const skipped = { verdict: "skipped" as const, score: null };
  const noSpec = { ...skipped, reason: { code: "no-spec" as const, text: "" } };
  const off = {
    spec_compliance: noSpec,
    traceability: noSpec,
    rollout_safety: { ...skipped, reason: { code: "disabled" as const, text: "" } },
  };
  const early = { ...skipped, reason: { code: "early-exit" as const, text: "" } };
  const first = gateReport("gate-1", {
    ...common,
    ...{ verdict: "fail", score: null, startedAt: "2026-11-17T10:00:00.000Z", endedAt: "2026-11-17T10:00:20.000Z" },
    stages: stages({
      tests: { verdict: "fail", score: 0, findings: [FIXED], evidence: [failedTests()] },
      ...{ architecture: early, simplicity: early, errors: early, completeness: early },
      ...off,
    }),
  });
  const second = gateReport("gate-2", {
    ...common,
    ...{ cycle: 2, verdict: "fail", score: 78.5, costUsd: 0.0421, cut: ["dist/bundle.js"] },
    ...{ startedAt: "2026-11-17T10:10:00.000Z", endedAt: "2026-11-17T10:11:00.000Z" },
    stages: stages({
      architecture: {
        verdict: "pass",
        score: 84,
        findings: [
          finding("f-name", { severity: "low", blocks: false, file: "src/a b 🛒.js", line: 1, message: HOSTILE }),
        ],
      },
      errors: { verdict: "fail", score: 58, findings: [STANDING, ...settled()], evidence: [review()] },
      completeness: { verdict: "unable", score: null, reason: { code: "unreadable-answer", text: "Asked twice." } },
      ...off,
    }),
  });
  return [first, second];
}

function settled(): GateFinding[] {
  return [
    finding("f-old", { state: "resolved", blocks: false, message: "It crashed without a cart." }),
    finding("f-wrong", { state: "refuted", blocks: false, severity: "critical", message: "Prices can be negative." }),
    finding("f-ok", {
      ...{ state: "waived", blocks: false, severity: "medium", message: "No changelog entry." },
      waiver: { by: "Pat", reason: "Added at release.", at: "2026-11-17T10:12:00.000Z" },
    }),
    finding("f-far", {
      ...{ severity: "medium", blocks: false, state: "disputed", file: "README.md", line: 2 },
      message: "The README does not mention discounts.",
    }),
  ];
}

const failedTests = () => ({
  ...{ type: "command" as const, purpose: "tests", command: "node --test", tree: "2".repeat(40), exitCode: 1 },
  ...{
    kind: "test-failures" as const,
    ms: 4_210,
    toolchain: "node v24.19.2",
    cached: true,
    scope: "affected" as const,
  },
  tests: { passed: 11, failed: 1, skipped: 0, known: 0, unsteady: 0 },
  failures: [
    { name: "applies the discount once", file: "test/prices.test.js", line: 7, message: "expected 80, got 64" },
  ],
  output: "not ok 7 - applies the discount once\n",
});

const review = () => ({
  ...{ type: "model" as const, purpose: "review", model: "anthropic/claude-opus-4-6", costUsd: 0.0421 },
  ...{ answer: '{"stages": []}', dropped: 1, refuted: 1 },
});
