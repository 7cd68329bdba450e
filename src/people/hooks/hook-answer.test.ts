import { expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import type { HookEvent } from "../../contract/documents/hook.ts";
import { answerOf, type HookEnd } from "./hook-answer.ts";
import { matchedTools, matches, unknownTools } from "./matcher.ts";

const exit = (code: number, out = "", err = ""): HookEnd => ({ kind: "exit", code, out, err });
const outcome = (end: HookEnd, event: HookEvent = "PreToolUse") => answerOf(end, event).outcome;

it("allows for exit 0 alone, and refuses with the words of stderr for exit 2", () => {
  expect(answerOf(exit(0, "All good."), "PreToolUse")).toEqual({ outcome: "allowed" });
  expect(answerOf(exit(2, "out", "Not here.\n"), "PreToolUse")).toEqual({ outcome: "refused", text: "Not here." });
  expect([1, 3, 126, 127, 137, 255].map((code) => outcome(exit(code)))).toEqual(Array(6).fill("failed"));
  expect(outcome({ kind: "unable", reason: "too slow" })).toBe("failed");
});

it("reads Claude Code's decisions, and takes nothing that is no whole decision for one", () => {
  const refuses = [
    { decision: "block", reason: "No." },
    { continue: false, stopReason: "No." },
    { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "No." } },
    { permissionDecision: "deny", permissionDecisionReason: "No." },
    { hookSpecificOutput: { permissionDecision: "ask", permissionDecisionReason: "No." } },
  ];
  for (const decision of refuses)
    expect(answerOf(exit(0, JSON.stringify(decision)), "PreToolUse")).toEqual({ outcome: "refused", text: "No." });
  const allows = [{}, { decision: "approve" }, { hookSpecificOutput: { permissionDecision: "allow" } }];
  expect(allows.map((decision) => outcome(exit(0, JSON.stringify(decision))))).toEqual(Array(3).fill("allowed"));
  const half = ['{"decision": "blo', '{"decision": 3}', '{"decision": "blok"}', "{", '{"hookSpecificOutput": []}'];
  expect(half.map((text) => outcome(exit(0, text)))).toEqual(Array(5).fill("failed"));
});

it("finds a decision below other lines, and takes what isn't one object for a failure", () => {
  const block = '{"decision": "block", "reason": "No."}';
  expect(answerOf(exit(0, `Checking…\r\n  ${block}\n`), "PreToolUse")).toEqual({ outcome: "refused", text: "No." });
  const odd = [`Checking…\n{"decision": "blo`, `[${block}]`, `${block}\n${block}`, `x\n[${block}]`, `${block} done`];
  expect(odd.map((text) => outcome(exit(0, text)))).toEqual(Array(5).fill("failed"));
  expect(outcome(exit(0, "[guard] fine\n"))).toBe("allowed");
  expect(answerOf(exit(0, "Read this:\n{ a }"), "SessionStart")).toMatchObject({ outcome: "allowed" });
});

it("finds a decision below any number of lines, and below empty ones in no time", () => {
  const block = '{"decision": "block", "reason": "No."}';
  const computed = cpuTimer();
  for (const line of ["\n", " \n", "checked\n", "\r\n"])
    expect(outcome(exit(0, `${line.repeat(500_000)}${block}`))).toBe("refused");
  expect(computed()).toBeLessThan(5_000);
});

it("adds the output of SessionStart as context", () => {
  expect(answerOf(exit(0, "Use pnpm.\n"), "SessionStart")).toEqual({ outcome: "allowed", context: "Use pnpm." });
  const told = JSON.stringify({ hookSpecificOutput: { additionalContext: "Use pnpm." } });
  expect(answerOf(exit(0, told), "PostToolUse")).toEqual({ outcome: "allowed", context: "Use pnpm." });
});

it("allows for a 2xx response, and takes redirects and errors for failures", () => {
  const status = (code: number, body = "") => outcome({ kind: "status", status: code, body });
  expect([status(200), status(204), status(200, '{"decision":"block"}')]).toEqual(["allowed", "allowed", "refused"]);
  expect([status(302), status(404), status(500), status(200, "{")]).toEqual(Array(4).fill("failed"));
});

it("matches tools by name, by Claude Code's name, and everything where it is unsure", () => {
  expect([undefined, "*", "mcp__.*", "(", ""].map(matchedTools)).toEqual(Array(5).fill("all"));
  expect(matchedTools("Bash|Edit|MultiEdit|web_fetch")).toEqual(["exec", "edit", "web_fetch"]);
  expect([matches("^Bash$", "exec"), matches("exec", "exec_more"), matches("Exec", "exec")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(unknownTools("exec|Exec|toString", ["exec"])).toEqual(["Exec", "toString"]);
});
