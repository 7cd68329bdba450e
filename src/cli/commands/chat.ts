import { randomUUID } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/hint.ts";
import type { Action, Context } from "../context.ts";
import { textOf, textOrInput } from "../input.ts";
import { openTalk } from "../talk/open-talk.ts";
import { mainPlace, projectPlace, type TalkPlace } from "../talk/place.ts";
import { sayOnce } from "../talk/single-message.ts";

const USUAL_HISTORY = 10;
const MOST_HISTORY = 1_000;
const USUAL_SECONDS = 300;

interface TalkInput {
  text: string;
  timeout?: number | undefined;
  wait?: boolean | undefined;
  /** `false`: --no-history, which the parser takes for the opposite of --history. */
  history?: number | false | undefined;
}

export const chat: Action<"chat"> = async ({ channel = "default", ...input }, context) =>
  talk(mainPlace(channel, context), { input, command: "chat" }, context);

export const projectTalk: Action<"project talk"> = async ({ project, ...input }, context) =>
  talk(projectPlace(project, context), { input, command: `project talk ${project}` }, context);

async function talk(
  place: TalkPlace,
  { input, command }: { input: TalkInput; command: string },
  context: Context,
): Promise<number> {
  const { host, output } = context;
  const history = wholeNumber("--history", input.history === false ? 0 : input.history, {
    usual: USUAL_HISTORY,
    most: MOST_HISTORY,
  });
  const seconds = wholeNumber("--timeout", input.timeout, { usual: USUAL_SECONDS, most: 86_400 });
  const isDumb = host.env.TERM === "dumb";
  if (input.text === "" && host.canAsk && host.out.isTerminal && !isDumb && !output.json)
    return openTalk(place, { history, nextId: randomUUID }, context);
  const text = await wordsOf(input.text, context);
  if (text.trim() === "")
    throw new HallError("usage", "There is nothing to say.", {
      hint: hint("command-text", { command }),
    });
  if (input.wait === false) return acknowledge(place, text, context);
  return sayOnce(place, { id: randomUUID(), text, seconds }, context);
}

/** What was given, and below it what is piped in. */
async function wordsOf(given: string, { host, output }: Context): Promise<string> {
  if (given === "" || given === "-") return textOrInput("-", host);
  const piped = await host.readPiped();
  if (piped === undefined) {
    const message = "Nothing came on standard input for a second; only the words that were given are said.";
    output.note(output.json ? JSON.stringify({ level: "info", message }) : message);
  }
  const more = textOf(piped ?? Buffer.alloc(0)).trimEnd();
  return more === "" ? given : `${given}\n\n${more}`;
}

async function acknowledge(place: TalkPlace, text: string, { output }: Context): Promise<number> {
  const { message } = await place.say({ id: randomUUID(), text });
  output.row(message, () => `It is said (${message.id}). What comes of it is in the conversation.`);
  return 0;
}

function wholeNumber(option: string, given: number | undefined, { usual, most }: { usual: number; most: number }) {
  if (given === undefined) return usual;
  if (Number.isInteger(given) && given >= 0 && given <= most) return given;
  throw new HallError("usage", `${option} must be a whole number from 0 to ${most}.`);
}
