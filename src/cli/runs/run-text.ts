import type { Run } from "../../contract/runs/run.ts";
import { deliveryWords } from "../../contract/words/delivery-words.ts";
import { findingPlace, VERDICT_WORDS } from "../../contract/words/review-words.ts";
import { RUN_STATUS_WORDS } from "../../contract/words/run-words.ts";
import { agentWords } from "../text/agent-words.ts";
import type { Style } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";
import type { TableSpace } from "../text/text-table.ts";
import { wrapProse } from "../text/text-wrap.ts";

const runStyles: Record<Run["status"], Style> = {
  pending: "yellow",
  running: "cyan",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
};

/** An amount of money; an estimate is marked. */
export function money(usd: number, isKnown = true): string {
  const amount = usd === 0 ? "$0" : usd < 1 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
  return isKnown ? amount : `≈ ${amount}`;
}

export function costText({ usage }: Run): string {
  return money(usage.costUsd, usage.costKnown);
}

function tokensText({ inputTokens, outputTokens }: Run["usage"]): string {
  return `${grouped(inputTokens + outputTokens)} tokens`;
}

/** 1234567 as 1,234,567. */
export function grouped(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${two(Math.floor((seconds % 3_600) / 60))} min`;
}

/** How long a run took, or has taken so far. */
export function runTime({ startedAt, endedAt, result }: Run, now: number): string | undefined {
  if (startedAt === undefined) return undefined;
  // The clock may have been set between the two.
  if (result !== undefined) return durationText(result.duration * 1_000);
  return durationText((endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt));
}

export function stateStyle({ status, delivery }: Run): Style {
  return delivery?.state === "review" ? "yellow" : runStyles[status];
}

/** How what a run changed stands, on its branch or in the folder itself. */
export function standingText({ delivery }: Pick<Run, "delivery">): string | undefined {
  if (delivery === undefined) return undefined;
  const where = delivery.kind === "branch" ? `${delivery.name} for ${delivery.target}` : "in the folder";
  const { reason, next } = delivery;
  const more = next === undefined ? reason : `continued by ${next}`;
  return oneLine(`${where}: ${deliveryWords(delivery)}${more === undefined ? "" : ` (${more})`}`);
}

interface EndSpace extends TableSpace {
  /** How the program is called. */
  calledAs: string;
  /** What starts it again. */
  command: string;
}

/** How a run ended: in one line, then what it says, what it changed and what can be done about a failure. */
export function endText(run: Run, { paint, width, command, calledAs }: EndSpace): string {
  const { usage, result } = run;
  const took = runTime(run, Date.parse(run.endedAt ?? ""));
  const facts = [count(usage.turns, "turn"), tokensText(usage), costText(run)].join(" · ");
  const state = paint(stateStyle(run), `${RUN_STATUS_WORDS[run.status]}${took === undefined ? "" : ` after ${took}`}`);
  const output = (result?.output ?? "").trim();
  const lines = [
    `${state} ${paint("dim", `· ${facts}`)}`,
    ...(run.error === undefined ? [] : [paint("red", wrapProse(oneLine(run.error), width))]),
    ...(output === "" ? [] : [agentWords(output, { paint, width })]),
    ...reviewLines(run, { paint, width }),
    ...(result?.filesChanged ?? []).map((path) => `${paint("dim", "changed ")}  ${oneLine(path)}`),
    ...(result?.artifacts ?? []).map((path) => `${paint("dim", "artifact")}  ${oneLine(path)}`),
    ...resultLines(run, calledAs).map((line) => wrapProse(line, width)),
    ...(run.status === "completed" ? [] : [`${startsAnew(run) ? "Start over" : "Retry"}: ${command}`]),
  ];
  return lines.join("\n");
}

/** What became of the work of a run, and what a person can do about it. */
function resultLines({ id, status, delivery, reviewOf }: Run, calledAs: string): string[] {
  if (reviewOf !== undefined)
    return [
      `Review of ${reviewOf}. The task is unchanged. View the reviewed changes with: ${calledAs} run diff ${reviewOf}`,
    ];
  if (delivery === undefined) return [];
  const { kind, state, reason } = delivery;
  const because = reason === undefined ? "" : `: ${oneLine(reason)}`;
  const look = `View the changes with: ${calledAs} run diff ${id}`;
  switch (state) {
    case "delivered": {
      const where = kind === "branch" ? `Merged into ${oneLine(delivery.target)}` : "The changes are in the folder";
      return [`${where}. Revert with: ${calledAs} run revert ${id}`];
    }
    case "review":
      return [`In review${because}. ${look}`, `Discard with: ${calledAs} run discard ${id}`];
    case "kept":
      return [
        `Changes kept ${kind === "branch" ? `on ${oneLine(delivery.name)}` : "in the folder"}${because}. ${look}`,
        `Continue with: ${calledAs} run request-changes ${id} FEEDBACK`,
        `Discard with: ${calledAs} run discard ${id}`,
      ];
    case "unchanged":
      return status === "completed" ? ["No changes."] : [];
    default:
      return [];
  }
}

/** A retry begins on a branch of its own, unless the run itself went on with that of another. */
function startsAnew({ id, delivery }: Run): boolean {
  return delivery?.kind === "branch" && delivery.state === "kept" && delivery.name.endsWith(id);
}

/** The verdict of a review and each of its findings, in the reviewer's words; nothing for a run that is no review. */
export function reviewLines(run: Run, space: TableSpace): string[] {
  const review = run.result?.review;
  if (review === undefined) return [];
  const findings = review.findings.map(({ severity, message, fix, ...place }) => {
    const head = [severity, findingPlace(place)].filter((part) => part !== "").join(" ");
    return agentWords([`${head}: ${message}`, ...(fix === undefined ? [] : [fix])].join("\n"), space);
  });
  return [`${space.paint("bold", "Verdict")}  ${VERDICT_WORDS[review.verdict]}`, ...findings];
}
