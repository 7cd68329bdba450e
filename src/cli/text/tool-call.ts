import type { Activity } from "../../contract/runs/activity.ts";
import { activityWords } from "../../contract/words/activity-words.ts";
import { callWords } from "../../contract/words/call-words.ts";
import { oneLine } from "./plain-text.ts";

/** `read {"path":"src/login.ts"}` as `read src/login.ts`. */
export function callText(name: string, input: string): string {
  return oneLine(`${name} ${callWords(input)}`.trim());
}

/** `{"kind":"tool","name":"read","subject":"src/login.ts"}` as `reading src/login.ts`; empty when nothing is known. */
export function activityText(activity: Activity | undefined): string {
  return activity === undefined ? "" : oneLine(activityWords(activity));
}
