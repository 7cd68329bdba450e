import type { RunLine } from "../../contract/now.ts";
import { WAIT_WORDS } from "../../contract/words/wait-words.ts";
import type { Subject } from "./subject.ts";

/** What is to be decided, in one sentence. */
export function questionOf({ kind, title, projectId, run }: Subject): string {
  switch (kind) {
    case "review":
      return `Approve the result of “${title}”?`;
    case "failed":
      return `“${title}” failed. Retry it?`;
    case "budget":
      return `Raise the limit so that “${title}” can continue?`;
    case "provider":
      return `“${title}” is waiting for ${WAIT_WORDS[run?.waitingFor ?? "network"]}. Keep waiting?`;
    case "suspended":
      return `Project “${title}” is suspended. Resume it?`;
    case "problem":
      return `${title} can't be read. Fix the file.`;
    case "skill":
      return `Accept the skill “${title}”?`;
    case "instructions":
      return `Accept the instructions in ${title}?`;
    case "folder":
      return `The working folder of project ${projectId ?? ""} changed. Confirm it?`;
    case "damaged":
      return `The git repository ${title} is damaged. Repair it.`;
  }
}

/** Why the person is asked, and what helps to decide. */
export function contextOf(subject: Subject, nextCallUsd?: number | null): string {
  const { kind, detail, run } = subject;
  const lines = [detail];
  if (run !== undefined) lines.push(runText(run));
  if (run !== undefined && kind === "review") lines.push(changesText(run));
  if (kind === "budget" && nextCallUsd !== undefined) lines.push(nextCallText(nextCallUsd));
  return lines.filter((line) => line !== "").join("\n");
}

function runText({ taskId, projectId, roleId, turns, costUsd, costKnown, attempt }: RunLine): string {
  const attempts = attempt > 1 ? `, attempt ${attempt}` : "";
  const spent = `${costKnown ? "" : "about "}$${costUsd.toFixed(costUsd !== 0 && costUsd < 0.1 ? 4 : 2)}`;
  const count = turns === 1 ? "1 turn" : `${turns} turns`;
  return `${taskId} in project ${projectId}, role ${roleId}${attempts}. Spent so far: ${spent} in ${count}.`;
}

function changesText({ delivery }: RunLine): string {
  if (delivery?.files === undefined) return "";
  const { files, additions = 0, deletions = 0 } = delivery;
  return `${files} ${files === 1 ? "file" : "files"} changed, ${additions} ${additions === 1 ? "line" : "lines"} added, ${deletions} removed.`;
}

function nextCallText(usd: number | null): string {
  return usd === null
    ? "The price of the next model call is unknown."
    : `The next model call may cost up to $${usd.toFixed(usd < 0.1 ? 4 : 2)}.`;
}
