import { callIn, callWords } from "../contract/call-words.ts";
import { oneLine } from "./plain-text.ts";

/** `read {"path":"src/login.ts"}` as `read src/login.ts`. */
export function callText(name: string, input: string): string {
  return oneLine(`${name} ${callWords(input)}`.trim());
}

/** An activity as the agent words it: the name of a tool and its input, or a few words. */
export function activityText(activity: string): string {
  const call = callIn(activity);
  return call === undefined ? oneLine(activity) : callText(call.name, call.input);
}
