import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import type { ReviewComment } from "../../contract/runs/review-comment.ts";
import type { ReviewFinding } from "../../contract/runs/run-review.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { findingPlace } from "../../contract/words/review-words.ts";
import type { Feedback } from "./review-events.ts";

const MOST_COMMENTS = 100;
const LONGEST_MESSAGE = 2_000;
const MOST_IN_TEXT = 50;

/** What keeps a change from passing, the rest of what is open after it. */
function openFindings({ stages }: GateReport): GateFinding[] {
  const open = stages.flatMap(({ findings }) =>
    findings.filter(({ state }) => state === "open" || state === "disputed"),
  );
  return [...open.filter(({ blocks }) => blocks), ...open.filter(({ blocks }) => !blocks)];
}

/** As the run's result shows them. */
export function shownFindings(report: GateReport): ReviewFinding[] {
  return openFindings(report)
    .slice(0, MOST_COMMENTS)
    .map(({ severity, file, line, message, fix }) => ({
      severity,
      ...(file === undefined ? {} : { file: file.slice(0, 1_000) }),
      ...(line === undefined ? {} : { line }),
      message: said(message),
      ...(fix === undefined || fix.trim() === "" ? {} : { fix: said(fix) }),
    }));
}

/** One comment for each finding with a place, with its id, by which the author answers or disputes it; the others in words. */
function saidOf(report: GateReport): { comments: ReviewComment[]; lines: string[] } {
  const findings = openFindings(report).slice(0, MOST_COMMENTS);
  const comments = findings.flatMap((finding) =>
    finding.file === undefined || finding.line === undefined
      ? []
      : [{ id: finding.id, file: finding.file, line: finding.line, text: textOf(finding) }],
  );
  const others = findings.filter(({ file, line }) => file === undefined || line === undefined);
  const lines = others.slice(0, MOST_IN_TEXT).map((finding) => {
    const place = findingPlace(finding);
    return `- ${place === "" ? "" : `${place}: `}${textOf(finding)}`;
  });
  return { comments, lines };
}

/** What a gate that failed came to. */
export function feedbackOf(report: GateReport): Feedback {
  const { comments, lines } = saidOf(report);
  const score = report.score === null ? "" : ` Score ${Math.round(report.score)}, ${report.threshold} needed.`;
  const failed = report.stages.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);
  const stages = failed.length === 0 ? "" : ` Failed: ${failed.join(", ")}.`;
  const onto =
    report.onto === undefined ? "" : ` It was checked merged with ${report.onto}, to which the target branch moved.`;
  const feedback = [`The quality gate failed (cycle ${report.cycle}).${score}${stages}${onto}`, ...lines].join("\n");
  return { feedback, comments };
}

/** A person's words, with what the last gate found. */
export function feedbackWith(words: string, report: GateReport | undefined): Feedback {
  const { comments, lines } = report === undefined ? { comments: [], lines: [] } : saidOf(report);
  return { feedback: [...(words.trim() === "" ? [] : [words]), ...lines].join("\n"), comments };
}

/** Requirements that a failed gate found missing, each once. */
export function missingIn(report: GateReport): string[] {
  const missing = openFindings(report).filter(({ code }) => code === "requirement-missing");
  return [...new Set(missing.flatMap(({ requirements = [] }) => requirements))].sort();
}

function textOf({ id, severity, message, fix }: GateFinding): string {
  const advice = fix === undefined || fix.trim() === "" ? "" : ` Fix: ${said(fix)}`;
  return `[${severity}] ${said(message)}${advice} (${id})`;
}

function said(text: string): string {
  const clean = text.toWellFormed().replaceAll("\0", "�").trim();
  return cutText(clean === "" ? "No description." : clean, LONGEST_MESSAGE);
}
