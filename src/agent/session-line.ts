import { ChannelAddress, Speaker } from "../contract/channel.ts";
import type { SessionEntry } from "../contract/session.ts";
import { parseLine } from "../store/log-reader.ts";

/** Characters of one text that are held and told; the file has all of it. */
const LONGEST_TEXT = 400_000;

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const yes: Check = (value) => value === true;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf = (...words: readonly string[]): Check => {
  const known = new Set<unknown>(words);
  return (value) => known.has(value);
};

function shape(fields: Record<string, Check>): Check {
  const checks = Object.entries(fields);
  return (value) => object(value) && checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

const usage = shape({ input: number, output: number, cacheRead: number, cacheWrite: number, reasoning: number });
const after = shape({ text: number, calls: number });
const thought = shape({ text, opaque: optional(object), after: optional(after) });
const call = shape({ id: text, name: text, input: text, opaque: optional(object) });
const charge = { model: text, usage, costUsd: (value: unknown) => value === null || number(value), at: text };

/**
 * What a line must have to be one of ours. Others, as of a later version, stay in the file and are passed over. By hand,
 * because a schema takes several times as long as reading and parsing the lines.
 */
const LINES: Record<SessionEntry["type"], Check> = {
  message: shape({
    id: (value) => text(value) && value !== "",
    from: oneOf(...Speaker.options),
    channel: (value) => ChannelAddress.safeParse(value).success,
    text,
    at: text,
    root: optional(text),
    hops: optional(number),
    quiet: optional(yes),
  }),
  answer: shape({
    text,
    thinking: optional(listOf(thought)),
    calls: optional(listOf(call)),
    finish: oneOf("end", "calls", "length", "refused", "interrupted", "other"),
    ...charge,
  }),
  failure: shape({ reason: text, at: text }),
  waiting: shape({ reason: text, text, at: text }),
  resumed: shape({ at: text }),
  result: shape({
    id: text,
    name: text,
    output: text,
    ms: optional(number),
    failed: optional(yes),
    files: optional(listOf(text)),
    untrusted: optional(text),
    stopped: optional(oneOf("time", "memory", "processes", "disk")),
  }),
  summary: shape({ text, previous: text, aside: optional(yes), answers: optional(number), ...charge }),
  ended: shape({
    messageId: text,
    outcome: oneOf("answered", "failed", "stopped", "refused"),
    error: optional(text),
    at: text,
  }),
};

/** The entry of a line, its texts cut to what a model can use; undefined when it is none. */
export function entryOf(bytes: Buffer): SessionEntry | undefined {
  const value = parseLine(bytes);
  if (value === undefined) return undefined;
  const type = String(value.type);
  const isOurs = Object.hasOwn(LINES, type) && LINES[type as SessionEntry["type"]](value);
  return isOurs ? shortened(value as unknown as SessionEntry) : undefined;
}

/** Of its texts only what a model can use. */
export function shortened(entry: SessionEntry): SessionEntry {
  if (entry.type === "result") return isShort(entry.output) ? entry : { ...entry, output: cut(entry.output) };
  return !("text" in entry) || isShort(entry.text) ? entry : { ...entry, text: cut(entry.text) };
}

function isShort(given: string): boolean {
  return given.length <= LONGEST_TEXT;
}

/** A copy: a slice would hold the whole text for as long as it lives. */
function cut(given: string): string {
  const kept = Buffer.from(given.slice(0, LONGEST_TEXT), "utf8").toString("utf8");
  return `${kept}\n(${given.length - LONGEST_TEXT} characters left out here; the session has them)`;
}
