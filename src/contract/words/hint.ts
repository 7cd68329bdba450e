import { HINT_ACTIONS, type HintArgs, type HintWords } from "./hint-actions.ts";

export type HintAction = keyof typeof HINT_ACTIONS;

/** What a person can do next, as data: CLI and pages say it from one table, each in its own way. */
export interface Hint {
  action: HintAction;
  args: HintArgs;
}

/** As an answer of the API has it: in words, and as data where it is more than advice. */
interface ToldHint {
  hint?: string | undefined;
  hintAction?: Hint | undefined;
}

type GivenArgs = { [Name in keyof HintArgs]?: string | undefined };

export function hint(action: HintAction, given: GivenArgs = {}): Hint {
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { action, args };
}

/** A sentence without a command. */
export function advice(text: string): Hint {
  return { action: "advice", args: { text } };
}

export function hintWords({ action, args }: Hint): HintWords {
  return HINT_ACTIONS[action](args);
}

/** In words, its commands in quotes. `calledAs`: how the reader calls this program. */
export function hintText(said: Hint, calledAs = "guildhall"): string {
  const { parts } = hintWords(said);
  return parts
    .map((part) => (typeof part === "string" ? part : `'${"hall" in part ? `${calledAs} ${part.hall}` : part.shell}'`))
    .join("");
}

export function toldHint(said: Hint | undefined): ToldHint {
  if (said === undefined) return {};
  return { hint: hintText(said), ...(said.action === "advice" ? {} : { hintAction: said }) };
}

/** The hint of an answer; one of a newer daemon, whose action is not known here, in its words. */
export function heardHint({ hint: text, hintAction }: ToldHint): Hint | undefined {
  if (hintAction !== undefined && Object.hasOwn(HINT_ACTIONS, hintAction.action)) return hintAction;
  return text === undefined ? undefined : advice(text);
}
