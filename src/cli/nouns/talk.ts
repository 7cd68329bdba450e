import { randomUUID } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import type { ChannelView, SessionPage } from "../../contract/routes/talk-routes.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { OptionSpec } from "../command-spec.ts";
import { type Context, chosenProject } from "../context.ts";
import { textOf, textOrInput } from "../input.ts";
import { commandText } from "../runs/run-follow.ts";
import { project } from "../shared-options.ts";
import type { TalkPlace } from "../talk/place.ts";
import { oneLine } from "../text/plain-text.ts";
import { SessionLines } from "../text/session-lines.ts";
import { localTime } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const USUAL_HISTORY = 10;
const MOST_HISTORY = 1_000;
const USUAL_SECONDS = 300;
/** Of one thing that was said, without --full. */
const MOST_SHOWN = 2_000;

const talking = {
  wait: { kind: "off", help: "Return without waiting for an answer" },
  timeout: { kind: "number", value: "SECONDS", help: "How long to wait for an answer (default 300)" },
  history: { kind: "number", value: "N", help: "Number of earlier messages to show on a terminal (default 10)" },
  noHistory: { kind: "flag", help: "Show no earlier messages" },
} as const satisfies Record<string, OptionSpec>;

const DETAIL =
  "With a text, sends it and prints the answers until all work on it has ended; in a pipe, prints " +
  "only the answers. Exits with 1 if there is no answer. " +
  "Without a text, on a terminal, starts a conversation with streamed answers: Ctrl-C stops the current answer, " +
  "Ctrl-D quits. With --json, each message is one line. " +
  "Piped input is appended to the text after an empty line; in a shell loop that reads its own input, add </dev/null.";

export const commands = {
  chat: command(
    {
      summary: "Chat with the main agent",
      detail: DETAIL,
      args: { text: { kind: "maybe-rest", help: "Message (omit it or pass '-' to read piped standard input)" } },
      options: {
        channel: { kind: "text", value: "NAME", help: "Name of the CLI conversation (default: 'default')" },
        ...talking,
      },
      examples: ["chat", 'chat "How is the shop?"', "chat /projects", "chat --json --timeout 60 'What waits for me?'"],
    },
    async ({ channel = "default", ...input }, context) => {
      const { mainPlace } = await import("../talk/place.ts");
      return talk(mainPlace(channel, context), { input, command: "chat" }, context);
    },
  ),

  "project talk": command(
    {
      summary: "Chat with a project's agent",
      detail: DETAIL,
      args: {
        project: { kind: "one", help: "Project id" },
        text: { kind: "maybe-rest", help: "Message (omit it or pass '-' to read piped standard input)" },
      },
      options: talking,
      examples: [
        "project talk shop",
        'project talk shop "What is open?"',
        { before: "git diff | ", words: "project talk shop 'Review this'" },
      ],
    },
    async ({ project, ...input }, context) => {
      const { projectPlace } = await import("../talk/place.ts");
      return talk(projectPlace(project, context), { input, command: `project talk ${project}` }, context);
    },
  ),

  session: command(
    {
      summary: "Show an agent's session: messages, tool calls and answers",
      detail:
        "Shows the main agent's session, or a project agent's with -p. Tool calls are one line each, and long texts are shortened. Full sessions are listed as " +
        "archives; use --file to read one.",
      options: {
        project: { ...project, help: "Project whose agent to show (default: $GUILDHALL_PROJECT or the main agent)" },
        file: { kind: "text", value: "NAME", help: "Archive name, as listed" },
        before: { kind: "number", value: "OFFSET", help: "Show entries before this position" },
        limit: { kind: "number", value: "N", help: "Number of entries (1 to 1000, default 100)" },
        full: { kind: "flag", help: "Include thinking, long texts and complete tool output" },
      },
      examples: ["session", "session -p shop --limit 20", "session --json"],
    },
    async ({ project: given, full, file, before, limit }, context) => {
      for (const [option, value] of Object.entries({ "--before": before, "--limit": limit }))
        if (value !== undefined && !(Number.isInteger(value) && value >= 1))
          throw new HallError("usage", `${option} must be a whole number of at least 1.`);
      const { call, output } = context;
      const project = chosenProject(given, context);
      const query = { file, before, limit };
      const page =
        project === undefined
          ? await call("getMainSession", { query })
          : await call("getProjectSession", { params: { id: project }, query });
      if (output.json) output.answer(page, () => "");
      else output.row(page, () => pageText(page, { project, full: full === true, file }, context));
      return 0;
    },
  ),

  "channel list": command(
    {
      summary: "List channels that have messages",
      examples: ["channel list"],
    },
    async (_, { call, output }) => {
      const answer = await call("listChannels", {});
      output.answer(answer, () =>
        answer.channels.length === 0
          ? `No messages yet. Send one: ${output.calledAs} chat "Hello"`
          : textTable(channelColumns, answer.channels, output),
      );
      return 0;
    },
  ),
};

interface TalkInput {
  text: string;
  timeout?: number | undefined;
  wait?: boolean | undefined;
  /** `false`: --no-history, which the parser takes for the opposite of --history. */
  history?: number | false | undefined;
}

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
  if (input.text === "" && host.input.canAsk && host.out.isTerminal && !isDumb && !output.json)
    return (await import("../talk/open-talk.ts")).openTalk(place, { history, nextId: randomUUID }, context);
  const text = await wordsOf(input.text, context);
  if (text.trim() === "")
    throw new HallError("usage", "Missing message.", {
      hint: hint("command-text", { command }),
    });
  if (input.wait === false) return acknowledge(place, text, context);
  const { sayOnce } = await import("../talk/single-message.ts");
  return sayOnce(place, { id: randomUUID(), text, seconds }, context);
}

/** What was given, and below it what is piped in. */
async function wordsOf(given: string, { host, output }: Context): Promise<string> {
  if (given === "" || given === "-") return textOrInput("-", host.input);
  const piped = await host.input.readPiped();
  if (piped === undefined) {
    const message = "No input on standard input within one second. Sending only the text you passed.";
    output.note(output.json ? JSON.stringify({ level: "info", message }) : message);
  }
  const more = textOf(piped ?? Buffer.alloc(0)).trimEnd();
  return more === "" ? given : `${given}\n\n${more}`;
}

async function acknowledge(place: TalkPlace, text: string, { output }: Context): Promise<number> {
  const { message } = await place.say({ id: randomUUID(), text });
  output.row(message, () => `Sent (${message.id}). The answer will appear in the conversation.`);
  return 0;
}

function wholeNumber(option: string, given: number | undefined, { usual, most }: { usual: number; most: number }) {
  if (given === undefined) return usual;
  if (Number.isInteger(given) && given >= 0 && given <= most) return given;
  throw new HallError("usage", `${option} must be a whole number from 0 to ${most}.`);
}

type Archive = SessionPage["archives"][number];

interface Shown {
  project: string | undefined;
  full: boolean;
  file: string | undefined;
}

function pageText(page: SessionPage, { project, full, file }: Shown, context: Context): string {
  const { paint, width, calledAs } = context.output;
  const lines = new SessionLines({ paint, width, calledAs, full, most: full ? undefined : MOST_SHOWN });
  const words = `session${project === undefined ? "" : ` -p ${project}`}`;
  const archive = file === undefined ? "" : ` --file ${oneLine(page.file)}`;
  const earlier = page.nextBefore === undefined ? [] : [`${words}${archive} --before ${page.nextBefore}`];
  const told = page.entries.flatMap((entry) => lines.of(entry));
  return [
    ...earlier.map((command) => paint("dim", `Earlier: ${commandText(command, context)}`)),
    ...(page.entries.length === 0 ? [emptyText(project, context)] : [...told, ...lines.rest()]),
    ...archiveLines(page.archives, context, words),
  ].join("\n");
}

function emptyText(project: string | undefined, context: Context): string {
  const command = project === undefined ? "chat" : `project talk ${project}`;
  return `No messages yet. Send one: ${commandText(`${command} "Hello"`, context)}`;
}

function archiveLines(archives: readonly Archive[], context: Context, words: string): string[] {
  if (archives.length === 0) return [];
  const { output } = context;
  const command = commandText(`${words} --file NAME`, context);
  return ["", output.paint("bold", "Archives"), textTable(archiveColumns, archives, output), `Read one: ${command}`];
}

const archiveColumns: Column<Archive>[] = [
  { title: "NAME", text: ({ file }) => file },
  { title: "SIZE", text: ({ size }) => `${Math.ceil(size / 1024)} KB`, spare: 2 },
  { title: "UNTIL", text: ({ updatedAt }) => localTime(updatedAt), spare: 1 },
];

const channelColumns: Column<ChannelView>[] = [
  { title: "CHANNEL", text: ({ type, id }) => `${type}/${id}`, style: () => "bold" },
  { title: "MESSAGES", text: ({ lastSeq }) => String(lastSeq) },
  {
    title: "OPEN",
    text: ({ open }) => String(open),
    style: ({ open }) => (open > 0 ? "yellow" : undefined),
  },
  { title: "LAST", text: ({ lastAt }) => localTime(lastAt), spare: 1 },
];
