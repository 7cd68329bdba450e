import { type Task, TaskResult, type TaskUpdate } from "../../contract/documents/task.ts";
import type { Run } from "../../contract/runs/run.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { judgedCriteria } from "../../workspace/tasks/criteria.ts";

const LONGEST_SUMMARY = 100_000;
const LONGEST_NOTES = 20_000;
const MOST_FILES = 10_000;
const MOST_ARTIFACTS = 1_000;

/** What a task's file can hold of a run's result: a model may say more, and other characters, than can be read back. */
export function taskResultOf({ id, result, error }: Run): TaskResult {
  const { output = "", filesChanged = [], artifacts = [] } = result ?? {};
  const rest = `\n\n(Truncated; see run ${id} for the full text.)`;
  return TaskResult.parse({
    summary: cutText(writable(summaryOf(output, error)), LONGEST_SUMMARY - rest.length, rest),
    filesChanged: references(filesChanged).slice(0, MOST_FILES),
    artifactsCreated: references(artifacts).slice(0, MOST_ARTIFACTS),
  });
}

/** What a completed run says of its task's criteria, and the notes of a task that has none of its own. */
export function completionOf(
  run: Run,
  task: Pick<Task, "acceptanceCriteria" | "completionNotes" | "result">,
  { planned, fillsNotes }: { planned: readonly string[] | undefined; fillsNotes: boolean },
): Pick<TaskUpdate, "acceptanceCriteria" | "completionNotes"> {
  if (run.status !== "completed") return {};
  const { output = "", criteria: reported } = run.result ?? {};
  const judged = { criteria: task.acceptanceCriteria, reported: reported ?? [], planned: planned ?? [] };
  // Notes that an earlier run left are replaced; those that a person wrote are kept.
  const own = task.result === undefined ? undefined : notesFrom(task.result.summary);
  const isWanted = fillsNotes && (task.completionNotes === undefined || task.completionNotes === own);
  const notes = notesFrom(writable(output));
  return {
    ...(reported === undefined ? {} : { acceptanceCriteria: judgedCriteria(judged) }),
    ...(isWanted && notes !== "" ? { completionNotes: notes } : {}),
  };
}

function notesFrom(text: string): string {
  return cutText(text.trim(), LONGEST_NOTES, "\n\n(Truncated.)");
}

/** Why it did not come to its end stands first; what the model said last may say otherwise. */
function summaryOf(output: string, error: string | undefined): string {
  if (error === undefined) return output;
  return output === "" ? error : `${error}\n\nLast message:\n\n${output}`;
}

/** Without what no text file can hold. */
export function writable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

function references(paths: readonly string[]): string[] {
  return paths.map(writable).filter((path) => path !== "");
}
