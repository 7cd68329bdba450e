/** Tokens in the house's own count: `input` holds the cached ones, `output` the thinking. Each format splits them its way. */
export interface ScriptedUsage {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface ScriptedCall {
  name: string;
  input?: unknown;
  id?: string;
}

/** What the model says, whatever format it is said in. */
export interface ScriptedTurn {
  /** Streamed in the pieces given, or in pieces of a few characters. */
  text?: string | string[];
  thinking?: string;
  /** What the provider wants back unchanged: with the thinking or, for Google, with the first call. */
  signature?: string;
  calls?: ScriptedCall[];
  /** Sent in place of every call's input, broken as it may be. */
  rawToolInput?: string;
  /** null leaves it out. */
  usage?: ScriptedUsage | null;
  /** The format's own word for why it ended. */
  finish?: string;
  /** An error event after everything above, in place of the end. */
  errorEvent?: { type: string; message: string };
}

export interface Scene {
  turn: ScriptedTurn;
  model: string;
  /** Makes ids differ from answer to answer. */
  number: number;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into freely by tests; their shape is each vendor's own
export type Body = any;

/** What a request says, whatever format it is said in. */
export interface Gist {
  model: string;
  system: string;
  /** Names of the tools the model may call. */
  tools: string[];
  /** How often the model has spoken before. */
  turns: number;
  /** What it was told since it last spoke. */
  text: string;
  /** What came back from the tools it called last. */
  results: { id: string; output: string }[];
}

/** One of the formats the providers speak. */
export interface Wire {
  matches(path: string): boolean;
  /** The events of a whole answer, each as it is written to the socket. */
  frames(scene: Scene): string[];
  gist(body: Body, path: string): Gist;
  /** The body of a refusal, as this vendor words it. */
  refusal(status: number, error: { type: string; message: string }): unknown;
}

export interface NamedEvent {
  type: string;
  [key: string]: unknown;
}

export function frame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function namedFrame(event: NamedEvent): string {
  return `event: ${event.type}\n${frame(event)}`;
}

export function piecesOf(text: string | string[] | undefined): string[] {
  if (text === undefined || text === "") return [];
  return typeof text === "string" ? (text.match(/[\s\S]{1,24}/gu) ?? []) : text;
}

export function callsOf({ turn, number }: Scene, prefix: string): { id: string; name: string; json: string }[] {
  return (turn.calls ?? []).map(({ id, name, input }, at) => ({
    id: id ?? `${prefix}_${number}_${at}`,
    name,
    json: turn.rawToolInput ?? JSON.stringify(input ?? {}),
  }));
}

export function tokensOf({ usage }: ScriptedTurn): Required<ScriptedUsage> {
  return { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...usage };
}

/** What came after the model's last words, and how often it spoke. */
export function since<Item>(items: Item[], isModel: (item: Item) => boolean): { turns: number; news: Item[] } {
  return { turns: items.filter(isModel).length, news: items.slice(items.findLastIndex(isModel) + 1) };
}

/** The text of a content that is a string or a list of parts. */
export function plain(content: Body): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part: Body) => part.text ?? "").join("");
}
