/** What a message to an agent can be that is answered without a model. Apart from the schemas, so that commands can load it. */
export const SLASH_COMMANDS = {
  projects: "all projects and their status",
  status: "running work, and what needs you",
  inbox: "decisions that are waiting for you",
  answer: "answer one of them: /answer esc-001 Redis",
  cost: "today's cost by project",
  stop: "stop the current answer",
  help: "this list",
};

/** Other names: Telegram says `start` for the person when they first open the chat. */
const OTHER_NAMES: Readonly<Record<string, SlashCommand>> = { costs: "cost", start: "help" };

export type SlashCommand = keyof typeof SLASH_COMMANDS;

/** The word after the slash, of a text that is nothing else; only an answer has more. */
export function commandIn(text: string): string | undefined {
  return /^\/(?:([a-z]+)$|(answer)\s)/i
    .exec(text.trim())
    ?.slice(1)
    .find((word) => word !== undefined)
    ?.toLowerCase();
}

/** What a text answers to which question; undefined: it does not say both. */
export function answerIn(text: string): { id: string; text: string } | undefined {
  const [, id, answer] = /^\/answer\s+(\S+)\s+([\s\S]+)$/i.exec(text.trim()) ?? [];
  return id === undefined || answer === undefined ? undefined : { id, text: answer.trim() };
}

/** The command that a word names; undefined when there is none. */
export function slashCommandOf(word: string): SlashCommand | undefined {
  if (Object.hasOwn(OTHER_NAMES, word)) return OTHER_NAMES[word];
  return Object.hasOwn(SLASH_COMMANDS, word) ? (word as SlashCommand) : undefined;
}
