import type { RepeatedFinding, WeakStage } from "../../documents/teams/team-lessons.ts";
import { STAGE_TABLE } from "../gate-words.ts";

/** `Errors: failed 4 of 9 results, mean 61`. */
export function weakText({ stage, judged, failed, score }: WeakStage): string {
  const mean = score === null || STAGE_TABLE[stage].kind === "binary" ? "" : `, mean ${score}`;
  return `${STAGE_TABLE[stage].label}: failed ${failed} of ${judged} results${mean}`;
}

/** What reviewers find has no code of its own: the stage says what it is about. */
export function repeatedText({ stage, code, tasks, of }: RepeatedFinding): string {
  const what = code === "review" ? `${STAGE_TABLE[stage].label}, by a reviewer` : FINDING_WORDS[code];
  return `${what}: ${tasks} of ${of} tasks`;
}

const FINDING_WORDS: Readonly<Record<Exclude<RepeatedFinding["code"], "review">, string>> = {
  "compile-error": "Compile errors",
  "test-failed": "Failing tests",
  "test-unsteady": "Tests that fail by chance",
  "test-not-run": "Tests that did not run",
  "test-deleted": "Deleted tests",
  "test-skipped": "Skipped tests",
  "test-focused": "Focused tests, which leave out others",
  "test-emptied": "Tests without checks",
  "test-weakened": "Weakened tests",
  "not-red-before": "Tests that passed without the change",
  "red-unclear": "Tests not shown to fail without the change",
  "no-tests-added": "Code without tests",
  unproven: "Code that no test proves",
  "gate-settings-changed": "Changed gate settings",
  "requirement-missing": "Missing requirements",
  "requirement-partial": "Requirements met in part",
  unlinked: "Requirements without a linked test",
  unwired: "Code that nothing calls",
  conflict: "Merge conflicts",
  "no-rollback": "Changes without a way back",
};
