import { z } from "zod";
import type { Message } from "../../contract/runs/model-call.ts";
import { findingIn, remarksIn, taskIdIn, taskIn, titleIn } from "./task-prompt.ts";

const Call = z
  .strictObject({
    tool: z.string().min(1),
    input: z.record(z.string(), z.unknown()).default({}),
    /** The input as text, in place of `input`; it need not be JSON. */
    rawInput: z.string().optional(),
  })
  .refine((call) => call.rawInput === undefined || Object.keys(call.input).length === 0, {
    path: ["rawInput"],
    error: "can't be combined with 'input'",
  });

const Turn = z.strictObject({
  text: z.string().default(""),
  think: z.string().optional(),
  calls: z.array(Call).max(50).default([]),
  /** As if the answer had been cut for length, or been refused by the provider. */
  finish: z.enum(["length", "refused"]).optional(),
  delayMs: z.int().min(0).max(600_000).default(0),
  /** Fails this often before it plays the turn. */
  fail: z
    .strictObject({
      kind: z.enum(["busy", "broken", "timeout", "refused", "too_long", "quota"]),
      times: z.int().min(1).max(1_000).default(1),
    })
    .optional(),
});
export type Turn = z.infer<typeof Turn>;

/** For which runs a playbook plays by itself: those for which all that is given is so. */
const Cue = z.object({
  /** The task in the prompt contains this text. */
  when: z.string().min(1).optional(),
  /** The id or the name of the run's role. */
  role: z.string().min(1).optional(),
  /** The run goes on with a result that was sent back. */
  sentBack: z.literal(true).optional(),
  /** It is offered this tool. */
  tool: z.string().min(1).optional(),
});
export type Cue = z.infer<typeof Cue>;

/** A script for the offline model: what it says and which tools it calls, turn by turn. */
export const Playbook = z.strictObject({
  description: z.string().optional(),
  ...Cue.shape,
  turns: z.array(Turn).min(1).max(10_000),
  /** Begins again after the last turn. */
  repeat: z.boolean().default(false),
});
export type Playbook = z.infer<typeof Playbook>;

/** A run that wants to be played. */
export interface Occasion {
  prompt: string;
  system?: string | undefined;
  /** Absent where nobody with a role is played. */
  role?: { id: string; name: string } | undefined;
  /** The names of those that it is offered. */
  tools?: readonly string[] | undefined;
}

/** How closely a cue fits: the number of things it asks for. 0 when one of them is not so, or it asks for nothing. */
export function closeness(
  { when, role, sentBack, tool }: Cue,
  { prompt, system, role: played, tools }: Occasion,
): number {
  const asked = [
    when === undefined ? undefined : taskIn(prompt, system).includes(when),
    role === undefined ? undefined : role === played?.id || role === played?.name,
    sentBack === undefined ? undefined : remarksIn(prompt) !== undefined,
    tool === undefined ? undefined : tools?.includes(tool) === true,
  ].filter((isSo) => isSo !== undefined);
  return asked.every(Boolean) ? asked.length : 0;
}

/** What can be made out of the cue in a file that is no valid playbook. */
export function cueIn(value: unknown): Cue {
  return Cue.safeParse(value).data ?? {};
}

/** The turn of that number, from 0; undefined when the playbook is at its end. */
export function turnAt({ turns, repeat }: Playbook, number: number): Turn | undefined {
  return turns[repeat ? number % turns.length : number];
}

/** Fills the placeholders of a turn once and literally; anything unknown stays as it is written. */
export function fillTurn(turn: Turn, messages: readonly Message[]): Turn {
  const values = seenIn(messages);
  const fill = (text: string) =>
    text.replace(/\{\{([\w.-]{1,80})\}\}/g, (whole, name: string) => values.get(name) ?? whole);
  const fillAll = (value: unknown): unknown => {
    if (typeof value === "string") return fill(value);
    if (Array.isArray(value)) return value.map(fillAll);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillAll(entry)]));
  };
  return {
    ...turn,
    text: fill(turn.text),
    ...(turn.think === undefined ? {} : { think: fill(turn.think) }),
    calls: turn.calls.map((call) => ({ ...call, input: fillAll(call.input) as Record<string, unknown> })),
  };
}

/** What a playbook can speak of: the prompt, the newest message, and what came back from tools. */
function seenIn(messages: readonly Message[]): Map<string, string> {
  const values = new Map<string, string>();
  let results = 0;
  for (const message of messages) {
    if (message.role === "user") {
      if (!values.has("prompt")) {
        const remarks = remarksIn(message.text);
        values.set("prompt", message.text).set("title", titleIn(message.text));
        if (remarks !== undefined) values.set("remarks", remarks);
        const finding = findingIn(message.text);
        if (finding !== undefined) values.set("finding", finding);
        const task = taskIdIn(message.text);
        if (task !== undefined) values.set("task", task);
      }
      values.set("message", message.text);
    }
    if (message.role !== "tool") continue;
    for (const { name, output } of message.results)
      values.set("last", output).set(`last.${name}`, output).set(`result.${++results}`, output);
  }
  return values;
}
