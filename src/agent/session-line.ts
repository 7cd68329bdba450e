import { z } from "zod";
import { ChannelAddress, Speaker } from "../contract/channel.ts";
import type { SessionEntry } from "../contract/session.ts";
import { parseLine } from "../store/log-reader.ts";

/** Characters of one text that are held and told; the file has all of it. */
const LONGEST_TEXT = 400_000;

const Usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  reasoning: z.number(),
});
const Opaque = z.record(z.string(), z.unknown());
const Call = z.object({ id: z.string(), name: z.string(), input: z.string(), opaque: Opaque.optional() });
const Thought = z.object({
  text: z.string(),
  opaque: Opaque.optional(),
  after: z.object({ text: z.number(), calls: z.number() }).optional(),
});
const at = z.string();
const charge = { model: z.string(), usage: Usage, costUsd: z.number().nullable(), at };

/** What a line must have to be one of ours. Others, as of a later version, stay in the file and are passed over. */
const Line = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    id: z.string().min(1),
    from: Speaker,
    channel: ChannelAddress,
    text: z.string(),
    at,
    root: z.string().optional(),
    hops: z.number().optional(),
    quiet: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("answer"),
    text: z.string(),
    thinking: z.array(Thought).optional(),
    calls: z.array(Call).optional(),
    finish: z.enum(["end", "calls", "length", "refused", "interrupted", "other"]),
    ...charge,
  }),
  z.object({ type: z.literal("failure"), reason: z.string(), at }),
  z.object({ type: z.literal("waiting"), reason: z.string(), text: z.string(), at }),
  z.object({ type: z.literal("resumed"), at }),
  z.object({
    type: z.literal("result"),
    id: z.string(),
    name: z.string(),
    output: z.string(),
    failed: z.literal(true).optional(),
    files: z.array(z.string()).optional(),
    untrusted: z.string().optional(),
    stopped: z.enum(["time", "memory", "processes", "disk"]).optional(),
  }),
  z.object({
    type: z.literal("summary"),
    text: z.string(),
    previous: z.string(),
    aside: z.literal(true).optional(),
    answers: z.number().optional(),
    ...charge,
  }),
  z.object({
    type: z.literal("ended"),
    messageId: z.string(),
    outcome: z.enum(["answered", "failed", "stopped", "refused"]),
    error: z.string().optional(),
    at,
  }),
]);

/** The entry of a line, its texts cut to what a model can use; undefined when it is none. */
export function entryOf(bytes: Buffer): SessionEntry | undefined {
  const value = parseLine(bytes);
  if (value === undefined) return undefined;
  const parsed = Line.safeParse(value);
  return parsed.success ? shortened(parsed.data as SessionEntry) : undefined;
}

/** Of its texts only what a model can use. */
export function shortened(entry: SessionEntry): SessionEntry {
  if (entry.type === "result") return { ...entry, output: cut(entry.output) };
  return "text" in entry ? { ...entry, text: cut(entry.text) } : entry;
}

/** A copy: a slice would hold the whole text for as long as it lives. */
function cut(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const kept = Buffer.from(text.slice(0, LONGEST_TEXT), "utf8").toString("utf8");
  return `${kept}\n(${text.length - LONGEST_TEXT} characters left out here; the session has them)`;
}
