import { describe, expect, it } from "vitest";
import { endedRun, run } from "../../../test/fakes/api-documents.ts";
import { plain } from "../text/paint.ts";
import { durationText, endText, grouped, money, standingText, stateStyle } from "./run-text.ts";

const space = { paint: plain, width: 60, calledAs: "guildhall", command: "guildhall run retry run-1" };

describe("how a run ended", () => {
  it("is told with what it took, what it says and what it changed", () => {
    const result = {
      output: "It works.\n\n- one",
      artifacts: ["ARTIFACTS/a.md"],
      filesChanged: ["b.ts"],
      duration: 65,
    };
    expect(endText(endedRun({ result }), space).split("\n")).toEqual([
      "Completed after 1 min 05 s · 2 turns · 1,234 tokens · $0.0123",
      "│ It works.",
      "│",
      "│ - one",
      "changed   b.ts",
      "artifact  ARTIFACTS/a.md",
    ]);
  });

  it("tells what became of its branch and what can be done about it", () => {
    const branch = {
      kind: "branch" as const,
      name: "guildhall/TASK-1-run-1",
      target: "main",
      state: "delivered" as const,
    };
    const last = (over: object) =>
      endText(endedRun({ delivery: { ...branch, ...over } }), { ...space, width: 200 })
        .split("\n")
        .findLast((line) => !line.startsWith("Discard with"));
    const { id } = endedRun({});
    expect(last({})).toBe(`Merged into main. Revert with: guildhall run revert ${id}`);
    expect(last({ state: "review", reason: "the project requires review" })).toBe(
      `In review: the project requires review. View the changes with: guildhall run diff ${id}`,
    );
    expect(last({ state: "unchanged" })).toBe("No changes.");
  });

  it("tells the same of what it changed in the folder itself", () => {
    const last = (changes: object) =>
      endText(endedRun({ delivery: { kind: "folder", state: "delivered", ...changes } }), { ...space, width: 200 })
        .split("\n")
        .findLast((line) => !line.startsWith("Discard with"));
    const { id } = endedRun({});
    expect(last({})).toBe(`The changes are in the folder. Revert with: guildhall run revert ${id}`);
    expect(last({ state: "review", reason: "the project requires review" })).toBe(
      `In review: the project requires review. View the changes with: guildhall run diff ${id}`,
    );
    expect(last({ state: "unchanged" })).toBe("No changes.");
  });

  it("tells how to go on with what a run left that did not complete, and how to start anew", () => {
    const { result: _, ...rest } = endedRun({ status: "cancelled" });
    const { id } = rest;
    const branch = { kind: "branch" as const, name: `guildhall/TASK-1-${id}`, target: "main", state: "kept" as const };
    const lines = (run: object) =>
      endText({ ...rest, ...run }, { ...space, width: 200 })
        .split("\n")
        .slice(-4);
    const goOn = `Continue with: guildhall run request-changes ${id} FEEDBACK`;
    expect(lines({ delivery: { ...branch, reason: "the run was stopped" } })).toEqual([
      `Changes kept on guildhall/TASK-1-${id}: the run was stopped. View the changes with: guildhall run diff ${id}`,
      goOn,
      `Discard with: guildhall run discard ${id}`,
      "Start over: guildhall run retry run-1",
    ]);
    expect(lines({ delivery: { kind: "folder", state: "kept" } })).toEqual([
      `Changes kept in the folder. View the changes with: guildhall run diff ${id}`,
      goOn,
      `Discard with: guildhall run discard ${id}`,
      "Retry: guildhall run retry run-1",
    ]);
    // One that went on with the branch of another does so again.
    expect(lines({ delivery: { ...branch, name: "guildhall/TASK-1-run-0" } }).at(-1)).toMatch(/^Retry/);
  });

  it("tells why it failed and how to try again, within the width and harmlessly", () => {
    const { result: _, ...rest } = endedRun({ status: "failed", error: `\u001b[31m${"word ".repeat(20)}` });
    const lines = endText(rest, space).split("\n");
    expect(lines.at(-1)).toBe("Retry: guildhall run retry run-1");
    expect(lines[1]).toMatch(/^␛\[31mword/);
    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it("says nothing of time for a run that was never started", () => {
    const { startedAt: _, ...never } = run({ status: "cancelled" });
    expect(endText(never, space)).toMatch(/^Stopped ·/);
  });
});

describe("how a result stands", () => {
  it("is told in words", () => {
    const branch = { kind: "branch" as const, name: "b", target: "main" };
    expect(standingText({ delivery: { ...branch, state: "kept", reason: "the run failed" } })).toBe(
      "b for main: kept (the run failed)",
    );
    expect(standingText({ delivery: { ...branch, state: "rejected", next: "run-2" } })).toBe(
      "b for main: changes requested (continued by run-2)",
    );
    expect(standingText({ delivery: { kind: "folder", state: "review", reason: "it changed nothing" } })).toBe(
      "in the folder: in review (it changed nothing)",
    );
    expect(standingText({})).toBeUndefined();
  });

  it("shows in the list where it waits for the person", () => {
    expect(stateStyle(endedRun({ delivery: { kind: "folder", state: "review" } }))).toBe("yellow");
  });
});

describe("amounts", () => {
  it("of money are told as exactly as they matter", () => {
    expect([0, 0.00123, 0.5, 12.345].map((usd) => money(usd))).toEqual(["$0", "$0.0012", "$0.5000", "$12.35"]);
    expect(money(0, false)).toBe("≈ $0");
  });

  it("of time and tokens can be read at a glance", () => {
    expect([-5, 59_999, 60_000, 3_599_000, 3_660_000].map(durationText)).toEqual([
      "0 s",
      "59 s",
      "1 min 00 s",
      "59 min 59 s",
      "1 h 01 min",
    ]);
    expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
  });
});
