import { describe, expect, it } from "vitest";
import { colored, plain } from "../text/paint.ts";
import { textWidth } from "../text/text-width.ts";
import { closingText } from "./demo-closing.ts";
import { paced } from "./demo-folder.ts";
import { demoLine } from "./demo-line.ts";
import type { DemoSummary } from "./demo-step.ts";
import { testCountIn } from "./test-count.ts";

const run = { runId: "run-1", roleId: "coder", taskId: "TASK-001" };
const pipe = { paint: plain, width: undefined };

describe("a step of the demo", () => {
  it("is one line, with tests that are red or green and results that were merged or wait", () => {
    const lines = [
      demoLine({ step: "tests", moment: "before", passed: 6, failed: 1 }, pipe),
      demoLine({ step: "started", ...run, title: "Mend it" }, pipe),
      demoLine({ step: "edited", ...run, files: ["a.js", "b.js"] }, pipe),
      demoLine({ step: "ran", ...run, command: "node --test", failed: true, tests: { passed: 6, failed: 1 } }, pipe),
      demoLine({ step: "ran", ...run, command: "node --test", failed: false, tests: { passed: 7, failed: 0 } }, pipe),
      demoLine({ step: "ran", ...run, command: "make", failed: true }, pipe),
      demoLine({ step: "ended", ...run, status: "completed", state: "delivered", files: 1, additions: 2 }, pipe),
      demoLine({ step: "ended", ...run, status: "completed", state: "review", files: 2, deletions: 3 }, pipe),
      demoLine({ step: "ended", ...run, status: "completed", state: "checking", files: 1 }, pipe),
      demoLine({ step: "gate", ...run, verdict: "fail", cycle: 1 }, pipe),
      demoLine({ step: "gate", ...run, verdict: "pass", cycle: 2 }, pipe),
      demoLine({ step: "ended", ...run, status: "failed", reason: "It went\nin circles." }, pipe),
      demoLine({ step: "ended", ...run, parentRunId: "run-0", status: "completed" }, pipe),
    ];
    expect(lines).toEqual([
      "✗ tests before: 1 of 7 failing",
      "▶ TASK-001 coder started: Mend it",
      "✎ TASK-001 coder edited a.js, b.js",
      "✗ TASK-001 coder ran node --test: 1 of 7 failing",
      "✓ TASK-001 coder ran node --test: 7 passing",
      "✗ TASK-001 coder ran make: failed",
      "✓ TASK-001 coder done and merged: 1 file, +2 −0",
      "● TASK-001 coder done, in review: 2 files, +0 −3",
      "● TASK-001 coder done, being checked: 1 file, +0 −0",
      "✗ TASK-001 coder quality gate failed, changes requested",
      "✓ TASK-001 coder quality gate passed, merged",
      "✗ TASK-001 coder failed: It went␊in circles.",
      "✓   TASK-001 coder done",
    ]);
  });

  it("fits a narrow terminal, and only a terminal sees colour", () => {
    const step = { step: "task", taskId: "TASK-001", title: "A very long title of a task 漢字漢字漢字" } as const;
    const narrow = demoLine(step, { paint: plain, width: 24 });
    expect([narrow, textWidth(narrow) <= 24]).toEqual(["✓ task TASK-001 A very …", true]);
    expect(demoLine(step, { paint: colored, width: 24 })).toBe(`\u001b[32m✓\u001b[39m${narrow.slice(1)}`);
  });

  it("tells what the team came to", () => {
    const lines = [
      demoLine({ step: "team", teamId: "team-1", goal: "Sell more" }, pipe),
      demoLine({ step: "approved", teamId: "team-1", tasks: 2, requirements: 1 }, pipe),
      demoLine({ step: "delivered", teamId: "team-1", met: 1, requirements: 1 }, pipe),
    ];
    expect(lines).toEqual([
      "▶ team started: Sell more",
      "✓ plan approved: 2 tasks for 1 requirement",
      "✓ team merged its branch: 1 of 1 requirement met",
    ]);
  });

  it("says when commands run without a sandbox", () => {
    expect(demoLine({ step: "sandbox", name: "none", detail: "" }, pipe)).toContain("No sandbox works on this machine");
    expect(demoLine({ step: "sandbox", name: "unshare", detail: "" }, pipe)).toMatch(/^✓ sandbox unshare/);
  });
});

const summary: DemoSummary = {
  step: "summary",
  seconds: 3.21,
  tests: { before: { passed: 6, failed: 1 }, after: { passed: 7, failed: 0 } },
  team: { id: "team-1", met: 2, requirements: 2 },
  runs: 6,
  costUsd: 0,
  filesChanged: ["README.md", "src/cart.js"],
  commits: ["4", "3", "2", "1"],
  review: { runId: "run-9", taskId: "TASK-003", files: 3 },
  failed: { runId: "run-8", taskId: "TASK-004" },
};
const caller = { env: {}, calledAs: "guildhall" };
const places = { folder: "/tmp/d", workspace: "/tmp/d/hall", repository: "/tmp/d/shop" };

it("the end of the demo says what happened, and of a hall that stays up, where it is and what to try next", () => {
  const over = closingText(summary, { ...pipe, places, caller, staysUp: false });
  expect(over).toContain("1 of 7 failing → 7 passing");
  expect(over).toContain("6 runs in 3.2 s, cost $0");
  expect(over).not.toContain("/tmp/d");
  const up = closingText(summary, { paint: plain, width: 40, places, caller, staysUp: true });
  expect(up).toContain("\n  guildhall run approve run-9 --workspace /tmp/d/hall\n");
  expect(up).toContain("Ctrl-C");
  const inClone = closingText(summary, {
    ...pipe,
    places,
    caller: { env: {}, calledAs: "/clone/bin/guildhall" },
    staysUp: true,
  });
  expect(inClone).toContain("\n  /clone/bin/guildhall run diff run-9 --workspace /tmp/d/hall\n");
  const prose = up.split("\n").filter((line) => !line.startsWith("  guildhall"));
  expect(Math.max(...prose.map(textWidth))).toBeLessThanOrEqual(40);
});

it("tests are counted in both forms of node --test, and nothing else is taken for them", () => {
  expect(testCountIn("ok\n# pass 6\n# fail 1\n")).toEqual({ passed: 6, failed: 1 });
  expect(testCountIn("ℹ tests 7\nℹ pass 7\nℹ fail 0\n")).toEqual({ passed: 7, failed: 0 });
  expect(testCountIn("7 passed, # pass 6")).toBeUndefined();
});

it("a playbook is played at the pace that was asked for", () => {
  const text = "turns:\n  - delayMs: 1500\n    text: 'delayMs: 1500 it said'\n  - text: a\n    delayMs: 600\n";
  expect(paced(text, 0)).toContain("- delayMs: 0\n    text: 'delayMs: 1500 it said'\n  - text: a\n    delayMs: 0\n");
  expect(paced(text, 3)).toContain("- delayMs: 3000\n");
  // Who stalls does so for longer than the 3 or 6 seconds after which it is nudged.
  expect([0, 3].map((pace) => paced("    delayMs: 1 # stalls\n", pace).trim())).toEqual([
    "delayMs: 5000",
    "delayMs: 8000",
  ]);
});
