import type { RunResult } from "../../contract/runs/run.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { quoted } from "../../runs/plan/review-prompt.ts";
import type { MemberState, TeamState } from "../machine/team-state.ts";

/** The newest tasks of a loop are told in full, as far as there is room. */
const MOST_TASKS = 10;
const LONGEST_SUMMARY = 1_500;
const MOST_FILES = 30;

type Told = Pick<RunResult, "output" | "filesChanged">;

/**
 * What a member that loops over the tasks of its prefix takes along: each task has a run of its own, so its reports are all it
 * remembers. Empty for one that begins.
 */
export function loopNotes(
  { tasks }: Pick<TeamState, "tasks">,
  { loop }: Pick<MemberState, "loop">,
  resultOf: (runId: string) => Told | undefined,
): string {
  return loop
    .slice(-MOST_TASKS)
    .flatMap((key) => {
      const task = tasks.get(key);
      const result = task?.runId === undefined ? undefined : resultOf(task.runId);
      if (task === undefined) return [];
      const files = result?.filesChanged.slice(0, MOST_FILES) ?? [];
      return [
        [
          `### ${task.plan.title} (${key})`,
          ...(result === undefined ? [] : [quoted(cutText(result.output.trim(), LONGEST_SUMMARY))]),
          ...(files.length === 0 ? [] : [`Files: ${files.join(", ")}`]),
        ].join("\n"),
      ];
    })
    .join("\n\n");
}
