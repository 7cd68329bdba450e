import type { Style } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";
import type { TableSpace } from "../text/text-table.ts";
import { fitText } from "../text/text-width.ts";
import type { DemoStep } from "./demo-step.ts";
import type { TestCount } from "./test-count.ts";

type Shown = Exclude<DemoStep, { step: "summary" | "hall" }>;
type OfRun = Extract<Shown, { step: "started" | "edited" | "ran" | "nudged" | "gate" | "ended" }>;

interface Line {
  sign: string;
  style: Style;
  text: string;
}

/** One step as one line, cut to the width there is. */
export function demoLine(step: Shown, { paint, width }: TableSpace): string {
  const { sign, style, text } = "runId" in step ? ofRun(step) : ofHall(step);
  const line = fitText(oneLine(`${sign} ${text}`), width ?? Number.POSITIVE_INFINITY);
  return `${paint(style, line.slice(0, sign.length))}${line.slice(sign.length)}`;
}

const DONE = { sign: "✓", style: "green" } as const;
const WRONG = { sign: "✗", style: "red" } as const;

function ofHall(step: Exclude<Shown, OfRun>): Line {
  switch (step.step) {
    case "sandbox":
      return step.name === "none"
        ? {
            sign: "!",
            style: "yellow",
            text: "No sandbox works on this machine. The demo's tests run unsandboxed.",
          }
        : { ...DONE, text: `sandbox ${step.name}: agent commands are sandboxed` };
    case "tests":
      return { ...verdict(step), text: `tests ${step.moment}: ${testsText(step)}` };
    case "project":
      return { ...DONE, text: `project ${step.name} (${step.projectId}), created from the repository` };
    case "role":
      return { ...DONE, text: `role ${step.name} (${step.roleId}), assigned` };
    case "plan":
      return { ...DONE, text: `plan ${step.title}` };
    case "task":
      return { ...DONE, text: `task ${step.taskId} ${step.title}` };
    case "team":
      return { sign: "▶", style: "cyan", text: `team started: ${step.goal}` };
    case "approved":
      return {
        ...DONE,
        text: `plan approved: ${count(step.tasks, "task")} for ${count(step.requirements, "requirement")}`,
      };
    case "delivered":
      return { ...DONE, text: `team merged its branch: ${step.met} of ${count(step.requirements, "requirement")} met` };
    case "rule":
      return { ...DONE, text: "review before merge enabled" };
  }
}

function ofRun(step: OfRun): Line {
  const indent = step.parentRunId === undefined ? "" : "  ";
  const line = lineOfRun(step);
  return { ...line, text: `${indent}${step.taskId} ${step.roleId} ${line.text}` };
}

function lineOfRun(step: OfRun): Line {
  switch (step.step) {
    case "started":
      return { sign: "▶", style: "cyan", text: `started: ${step.title}` };
    case "edited":
      return { sign: "✎", style: "blue", text: `edited ${step.files.join(", ")}` };
    case "ran": {
      const how = step.tests === undefined ? (step.failed ? "failed" : "succeeded") : testsText(step.tests);
      return { ...(step.failed ? WRONG : DONE), text: `ran ${step.command}: ${how}` };
    }
    case "nudged":
      return { sign: "●", style: "yellow", text: `was nudged: ${step.text.replace("[from Guildhall] ", "")}` };
    case "gate": {
      const isPassed = step.verdict === "pass";
      const then = isPassed ? "merged" : "changes requested";
      return { ...(isPassed ? DONE : WRONG), text: `quality gate ${isPassed ? "passed" : "failed"}, ${then}` };
    }
    case "ended":
      return endLine(step);
  }
}

function endLine({ status, state, reason, files, additions, deletions }: Extract<OfRun, { step: "ended" }>): Line {
  if (status !== "completed") return { ...WRONG, text: `${status}: ${reason ?? "no reason given"}` };
  const size = files === undefined ? "" : `: ${count(files, "file")}, +${additions ?? 0} −${deletions ?? 0}`;
  if (state === "checking") return { sign: "●", style: "yellow", text: `done, being checked${size}` };
  if (state === "review") return { sign: "●", style: "yellow", text: `done, in review${size}` };
  return { ...DONE, text: state === "delivered" ? `done and merged${size}` : "done" };
}

export function testsText({ passed, failed }: TestCount): string {
  return failed === 0 ? `${passed} passing` : `${failed} of ${passed + failed} failing`;
}

function verdict({ failed }: TestCount): Omit<Line, "text"> {
  return failed === 0 ? DONE : WRONG;
}
