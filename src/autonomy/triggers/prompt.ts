import { quotedMaterial } from "../../agent/web/quoted-material.ts";
import { actionWords, NOTHING_NEW, sourceWords } from "../../contract/words/autonomy/trigger-words.ts";
import type { TriggerDocument } from "./trigger-files.ts";
import type { Given } from "./trigger-state.ts";

const QUIET = `If there is nothing to do and nothing to tell, answer with ${NOTHING_NEW} and nothing else.`;
const READ_ONLY =
  "You can read but change nothing. If something should be changed, propose it in your report: what, where and why. The person decides.";

/** What the agent is told. Words from outside are quoted, and only for a run that can do nothing but read. */
export function promptOf(trigger: TriggerDocument, { facts, outside }: Given, mark: string): string {
  const { message, spawn, team } = trigger.do;
  const own = typeof message === "string" ? message : (spawn?.description ?? team?.goal ?? "");
  const isQuoted = outside !== undefined && spawn !== undefined;
  return [
    own,
    trigger.words,
    facts === undefined ? "" : `What happened: ${facts}`,
    isQuoted ? quotedMaterial([`webhook: ${trigger.name}`], outside, mark) : "",
    isQuoted ? READ_ONLY : "",
    team === undefined ? QUIET : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What a firing starts, in one line. */
export function startsWords(trigger: Pick<TriggerDocument, "on" | "do" | "projectId">): string {
  const where = trigger.projectId === undefined ? "" : ` in project '${trigger.projectId}'`;
  return `${sourceWords(trigger.on)} → ${actionWords(trigger.do)}${where}`;
}
