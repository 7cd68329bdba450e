import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { GATE_VERDICT_WORDS, STAGE_TABLE } from "../../contract/words/gate-words.ts";
import { isBlocking } from "./scoring.ts";

const MOST_FINDINGS = 40;
const LONGEST_MESSAGE = 1_500;

/** Why a change did not pass, finding by finding, for who has to fix it. Empty where nothing stands in the way. */
export function failureReport(report: GateReport): string {
  const failed = report.stages.filter(({ verdict }) => verdict === "fail" || verdict === "unable");
  const found = failed.flatMap((stage) => stage.findings.filter(isOpen).map((finding) => ({ stage, finding })));
  const [blocking, advice] = [true, false].map((blocks) =>
    found.filter(({ finding }) => isBlocking(finding) === blocks),
  );
  const shown = [...(blocking ?? []), ...(advice ?? [])].slice(0, MOST_FINDINGS);
  const lines = failed.map(({ name, verdict = "unable", score, reason }) => {
    const scored = score === null || STAGE_TABLE[name].kind === "binary" ? "" : ` (${score} of 100)`;
    return `${STAGE_TABLE[name].label}: ${GATE_VERDICT_WORDS[verdict].toLowerCase()}${scored}${reason === undefined ? "" : `. ${reason.text}`}`;
  });
  const isShort = report.score !== null && report.score < report.threshold;
  if (isShort) lines.push(`Score: ${report.score}, needs ${report.threshold}`);
  const left = found.length - shown.length;
  return [
    ...lines,
    ...shown.map(({ finding }, at) => `\n${at + 1}. ${findingText(finding)}`),
    ...(left > 0 ? [`\n${left} more in gate report ${report.id}.`] : []),
  ].join("\n");
}

function isOpen({ state }: GateFinding): boolean {
  return state === "open" || state === "disputed";
}

function findingText({ severity, file, line, message, fix, blocks }: GateFinding): string {
  const place = file === undefined ? "" : ` ${file}${line === undefined ? "" : `:${line}`}`;
  const advice = blocks ? "" : ", optional";
  const text = `[${severity}${advice}]${place} ${cutText(message, LONGEST_MESSAGE)}`;
  return fix === undefined ? text : `${text}\n   Fix: ${cutText(fix, LONGEST_MESSAGE)}`;
}
