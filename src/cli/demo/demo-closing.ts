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
  const happened = ["", paint("bold", "Summary"), ...fieldLines(facts(summary), paint)];
  const all = staysUp ? [...happened, ...whereLines(closing), ...nextLines(summary, closing)] : happened;
  return all.map((line) => (line.startsWith("  ") ? line : wrapLabelled(line, width))).join("\n");
}

function facts({ tests, team, runs, costUsd, filesChanged, commits, review, failed, seconds }: DemoSummary) {
  return [
    ["tests", `${testsText(tests.before)} → ${testsText(tests.after)}`],
    ["team", `${team.met} of ${count(team.requirements, "requirement")} met, checked as a whole and merged`],
    ["runs", `${count(runs, "run")} in ${seconds.toFixed(1)} s, cost ${money(costUsd)}`],
    ["changed", filesChanged.join(", ")],
    ["commits", `${commits.length - FIRST_COMMITS.length} new on main`],
    ["review", `${review.taskId} is ready for review: ${count(review.files, "changed file")}`],
    ["needs you", `${failed.taskId} failed: a file is missing, and the agent was stopped for repeating the same call`],
  ] as const;
}

function whereLines({ places, paint }: Closing): string[] {
  const { repository, workspace } = places;
  const fields = [
    ["repository", repository],
    ["workspace", workspace],
  ] as const;
  return ["", paint("bold", "Files"), ...fieldLines(fields, paint)];
}

function nextLines({ review, team }: DemoSummary, { places, caller, paint }: Closing): string[] {
  const command = (words: string) => `  ${commandFor(words, places.workspace, caller)}`;
  return [
    "",
    paint("bold", "Next steps"),
    "Read what the team did, and the proof:",
    command(`team report ${team.id}`),
    "View the changes in review, in the dashboard or in another terminal, and have an agent review them:",
    command(`run diff ${review.runId}`),
    command(`spawn reviewer -p ${DEMO_PROJECT} --task ${review.taskId}`),
    "Then approve them or request changes. The offline model follows a script: it adds a test, whatever you ask for.",
    command(`run approve ${review.runId}`),
    command(`run request-changes ${review.runId} "Test the other code too"`),
    "Chat with the main agent:",
    command("chat"),
    "Set up your own project:",
    `  ${caller.calledAs} init`,
    "",
    "Guildhall keeps running until you press Ctrl-C.",
  ];
}
