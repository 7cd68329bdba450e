import type { Host } from "../host.ts";
import { commandFor } from "../http/connection.ts";
import { money } from "../runs/run-text.ts";
import { count, fieldLines } from "../text/text-card.ts";
import type { TableSpace } from "../text/text-table.ts";
import { wrapLabelled } from "../text/text-wrap.ts";
import { type DemoPlaces, FIRST_COMMITS } from "./demo-folder.ts";
import { testsText } from "./demo-line.ts";
import type { DemoSummary } from "./demo-step.ts";
import { DEMO_PROJECT } from "./demo-tasks.ts";

export interface Closing extends TableSpace {
  places: DemoPlaces;
  caller: Pick<Host, "env" | "calledAs">;
  /** Whether the hall is still there to be looked at. */
  staysUp: boolean;
}

/** What happened, and with a hall that stays up, what to try next. Commands and paths stay whole. */
export function closingText(summary: DemoSummary, closing: Closing): string {
  const { paint, width, staysUp } = closing;
  const happened = ["", paint("bold", "What happened"), ...fieldLines(facts(summary), paint)];
  const all = staysUp ? [...happened, ...whereLines(closing), ...nextLines(summary, closing)] : happened;
  return all.map((line) => (line.startsWith("  ") ? line : wrapLabelled(line, width))).join("\n");
}

function facts({ tests, runs, costUsd, filesChanged, commits, review, failed, seconds }: DemoSummary) {
  return [
    ["tests", `${testsText(tests.before)} → ${testsText(tests.after)}`],
    ["runs", `${count(runs, "run")} in ${seconds.toFixed(1)} s, cost ${money(costUsd)}`],
    ["changed", filesChanged.join(", ")],
    ["commits", `${commits.length - FIRST_COMMITS.length} new on main`],
    ["review", `${review.taskId} waits for you with ${count(review.files, "changed file")}`],
    ["needs you", `${failed.taskId} failed: a file is missing, and the agent was stopped when it went in circles`],
  ] as const;
}

function whereLines({ places, paint }: Closing): string[] {
  const { repository, workspace } = places;
  const fields = [
    ["repository", repository],
    ["workspace", workspace],
  ] as const;
  return ["", paint("bold", "Where it is"), ...fieldLines(fields, paint)];
}

function nextLines({ review }: DemoSummary, { places, caller, paint }: Closing): string[] {
  const command = (words: string) => `  ${commandFor(words, places.workspace, caller)}`;
  return [
    "",
    paint("bold", "What to try next"),
    "Read what waits for review, in the dashboard or in another terminal, and ask a reviewer for a review of it:",
    command(`run diff ${review.runId}`),
    command(`spawn reviewer -p ${DEMO_PROJECT} --task ${review.taskId}`),
    "Then approve it, or send it back. The offline model follows a playbook, though: it adds a test, and says that it cannot weigh your words.",
    command(`run approve ${review.runId}`),
    command(`run reject ${review.runId} "Test the other code, too"`),
    "Ask the hall how things are:",
    command("chat"),
    "Begin with a project of your own:",
    `  ${caller.calledAs} init`,
    "",
    "The hall stays up until you press Ctrl-C.",
  ];
}
