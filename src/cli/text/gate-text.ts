import type { GateFinding, GateReport, GateStage } from "../../contract/documents/quality/gate.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { GATE_VERDICT_WORDS, type GateVerdict, STAGE_TABLE } from "../../contract/words/gate-words.ts";
import type { Style } from "./paint.ts";
import { manyLines, oneLine } from "./plain-text.ts";
import { count } from "./text-card.ts";
import type { TableSpace } from "./text-table.ts";
import { padText } from "./text-width.ts";

const MOST_FINDINGS = 50;
const MOST_LINES = 20;
const LONGEST_MESSAGE = 400;
const LABELS = Math.max(...Object.values(STAGE_TABLE).map(({ label }) => label.length));

export const VERDICT_STYLES: Record<GateVerdict, Style> = {
  pass: "green",
  fail: "red",
  unable: "yellow",
  skipped: "dim",
};
const SEVERITY_STYLES: Record<GateFinding["severity"], Style> = {
  critical: "red",
  high: "red",
  medium: "yellow",
  low: "dim",
};

/** A report as a person reads it: the verdict, what stopped it, the stages, and what was found. */
export function gateText(report: GateReport, space: TableSpace): string {
  const { paint } = space;
  const { verdict, title, files, additions, deletions, stages, score, threshold, costUsd } = report;
  const word =
    verdict === undefined ? paint("bold", "Running") : paint(VERDICT_STYLES[verdict], GATE_VERDICT_WORDS[verdict]);
  const size = `${count(files, "file")}, +${additions} -${deletions}`;
  const findings = stages.flatMap((stage) => stage.findings.filter(isOpen));
  return [
    `${word}: ${oneLine(title)} ${paint("dim", `(${size})`)}`,
    ...stoppedBy(report),
    "",
    ...stages.map((stage) => stageLine(stage, space)),
    "",
    ...(score === null ? [] : [`Score ${score} of 100, ${threshold} needed.`]),
    ...(costUsd === 0 ? [] : [`Reviewers cost $${costUsd.toFixed(4)}.`]),
    ...(findings.length === 0 ? [] : ["", ...findingLines(findings, space)]),
    ...stages.flatMap((stage) => brokenCommand(stage, space)),
    ...report.cut.map((text) => paint("dim", oneLine(text))),
  ]
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();
}

/** The one line that says why it did not pass. */
function stoppedBy({ verdict, reason, stages, score, threshold }: GateReport): string[] {
  if (verdict !== "fail") return verdict === "pass" || reason === undefined ? [] : [oneLine(reason.text)];
  const failed = stages.filter((stage) => stage.verdict === "fail");
  if (failed.length === 0) return [`The score is ${score}, and ${threshold} is needed.`];
  return failed.map(({ name, findings, reason: why }) => {
    const [first] = findings.filter(({ blocks }) => blocks);
    const text = first?.message ?? why?.text ?? "The score is too low.";
    const place = first === undefined ? "" : placeOf(first);
    return `${STAGE_TABLE[name].label}: ${place === "" ? "" : `${place}: `}${oneLine(cutText(text.replaceAll(/\s*\n\s*/g, " "), 160))}`;
  });
}

/** One stage, as it is judged. */
export function stageLine(
  { name, verdict, score, reason, findings, evidence }: GateStage,
  { paint }: TableSpace,
): string {
  const state = verdict === undefined ? "waiting" : GATE_VERDICT_WORDS[verdict].toLowerCase();
  const tests = evidence.findLast(
    (one) => one.type === "command" && one.purpose === "tests" && one.tests !== undefined,
  );
  const counts = tests?.type === "command" ? tests.tests : undefined;
  const open = findings.filter(isOpen).length;
  const notes = evidence.flatMap((one) => (one.type === "note" && reason?.code === "dry-run" ? [one.text] : []));
  const about = [
    STAGE_TABLE[name].kind === "weighted" && score !== null ? `${score}` : "",
    counts === undefined ? "" : `${counts.passed} passed${counts.failed === 0 ? "" : `, ${counts.failed} failed`}`,
    counts === undefined || counts.known === 0 ? "" : `${counts.known} known`,
    open === 0 ? "" : count(open, "finding"),
    notes.length > 0 ? notes.join(" ") : (reason?.text ?? ""),
  ].filter((part) => part !== "");
  const style = verdict === undefined ? "dim" : VERDICT_STYLES[verdict];
  return `  ${padText(STAGE_TABLE[name].label, LABELS)}  ${paint(style, padText(state, 10))}  ${oneLine(about.join(", "))}`.trimEnd();
}

/** The last words of a command that nothing can be told from: they say what to fix. */
function brokenCommand({ verdict, evidence }: GateStage, { paint }: TableSpace): string[] {
  const last = verdict === "unable" ? evidence.findLast((one) => one.type === "command") : undefined;
  if (last?.type !== "command" || last.kind === "none" || last.output.trim() === "") return [];
  const lines = manyLines(last.output.trimEnd()).split("\n").slice(-MOST_LINES);
  return ["", paint("bold", `The end of what ${oneLine(last.command)} printed`), ...lines.map((line) => `  ${line}`)];
}

function findingLines(findings: readonly GateFinding[], { paint }: TableSpace): string[] {
  const order = [...findings].sort((left, right) => Number(right.blocks) - Number(left.blocks));
  const left = order.length - MOST_FINDINGS;
  return [
    paint("bold", "Findings"),
    ...order.slice(0, MOST_FINDINGS).flatMap((finding) => {
      const { severity, blocks, message, fix, id } = finding;
      const place = placeOf(finding);
      const head = `  ${paint(SEVERITY_STYLES[severity], severity)}${blocks ? "" : " (advice)"}${place === "" ? "" : `  ${paint("bold", place)}`}`;
      return [
        `${head}  ${paint("dim", oneLine(id))}`,
        ...indented(cutText(message, LONGEST_MESSAGE)),
        ...(fix === undefined ? [] : indented(`Fix: ${cutText(fix, LONGEST_MESSAGE)}`)),
      ];
    }),
    ...(left > 0 ? [`  ${left} more; --json has all of them.`] : []),
  ];
}

function indented(text: string): string[] {
  return manyLines(text)
    .split("\n")
    .map((line) => `      ${line}`);
}

function placeOf({ file, line }: GateFinding): string {
  return file === undefined ? "" : oneLine(line === undefined ? file : `${file}:${line}`);
}

function isOpen({ state }: GateFinding): boolean {
  return state === "open" || state === "disputed";
}
