import type { WaitCode } from "../../../../../src/contract/runs/activity.ts";
import type { JournalEntry, RecordedEnd } from "../../../../../src/contract/runs/journal.ts";
import type { Finish, ToolCall } from "../../../../../src/contract/runs/model-call.ts";
import type { RunPlan } from "../../../../../src/contract/runs/run.ts";
import { pricedAs } from "../timeline/timeline-model.ts";

type Result = Extract<JournalEntry, { type: "result" }>;
type Permit = Extract<JournalEntry, { type: "permit" }>;
/** What a hook said, as the journal has it. */
export type HookNote = Omit<Extract<JournalEntry, { type: "hook" }>, "type" | "callId">;

/** One thing to be seen in a transcript. `key` stays the same when more comes. */
export type Item = { key: string } & (
  | { kind: "given"; plan: RunPlan }
  | { kind: "taken-up"; at: string; epoch: number }
  | {
      kind: "said";
      turn: number;
      text: string;
      thinking: string;
      finish: Finish;
      at: string;
      costUsd: number;
      isKnown: boolean;
    }
  | {
      kind: "call";
      turn: number;
      call: ToolCall;
      result?: Result | undefined;
      /** Guildhall was asked about it before it ran, and what came of that so far. */
      permit?: Permit["state"];
      hooks?: readonly HookNote[];
    }
  | { kind: "hook"; hook: HookNote }
  | { kind: "message"; from: "person" | "hall" | "team"; text: string }
  | { kind: "failure"; reason: string; at: string }
  | { kind: "wait"; reason: WaitCode; text: string; at: string; until?: string | undefined }
  | { kind: "summary"; text: string; at: string }
  | { kind: "end"; end: RecordedEnd; at: string }
);

/** A call is shown with its result, its permit and what hooks said about it, wherever these are in the journal. */
export function itemsOf(entries: readonly JournalEntry[]): Item[] {
  const items: Item[] = [];
  const open = new Map<string, CallItem>();
  const calls = new Map<string, CallItem>();
  let turn = 0;
  let wait: Extract<Item, { kind: "wait" }> | undefined;
  entries.forEach((entry, at) => {
    const key = `e${at}`;
    switch (entry.type) {
      case "answer":
        turn += 1;
        items.push(...answerItems(entry, { key, turn }, open));
        for (const [id, item] of open) calls.set(id, item);
        break;
      case "permit":
        setPermit(calls.get(entry.id), entry);
        break;
      case "hook":
        items.push(...hookItems(entry, key, calls));
        break;
      case "result":
        items.push(...resultItems(entry, { key, turn }, open));
        break;
      case "waiting":
        wait = { key, kind: "wait", reason: entry.reason, text: entry.text, at: entry.at };
        items.push(wait);
        break;
      case "resumed":
        if (wait !== undefined) wait.until = entry.at;
        wait = undefined;
        break;
      default:
        items.push(...otherItems(entry, key));
    }
  });
  return items;
}

type Place = { key: string; turn: number };
type CallItem = Extract<Item, { kind: "call" }>;

function answerItems(
  { text, thinking = [], calls = [], finish, at, costUsd, usage }: Extract<JournalEntry, { type: "answer" }>,
  { key, turn }: Place,
  open: Map<string, CallItem>,
): Item[] {
  // Also of a turn without a word: its calls stand under its number.
  const cost = pricedAs(costUsd, usage);
  const said: Item = { key, kind: "said", turn, text, thinking: thinkingText(thinking), finish, at, ...cost };
  const called = calls.map((call): CallItem => {
    const item: CallItem = { key: `${key} ${call.id}`, kind: "call", turn, call };
    open.set(call.id, item);
    return item;
  });
  return [said, ...called];
}

function resultItems(result: Result, { key, turn }: Place, open: Map<string, CallItem>): Item[] {
  const item = open.get(result.id);
  if (item === undefined)
    return [{ key, kind: "call", turn, call: { id: result.id, name: result.name, input: "{}" }, result }];
  item.result = result;
  open.delete(result.id);
  return [];
}

function setPermit(item: CallItem | undefined, { state }: Permit): void {
  if (item !== undefined) item.permit = state;
}

function hookItems(
  { type: _, callId, ...hook }: Extract<JournalEntry, { type: "hook" }>,
  key: string,
  calls: ReadonlyMap<string, CallItem>,
): Item[] {
  const item = callId === undefined ? undefined : calls.get(callId);
  if (item === undefined) return [{ key, kind: "hook", hook }];
  item.hooks = [...(item.hooks ?? []), hook];
  return [];
}

/** What became of Guildhall's check of a call; undefined where it was not asked. */
export function checkOf({ permit, result }: CallItem): "asked" | "allowed" | "refused" | undefined {
  if (permit !== "asked") return permit;
  return result === undefined ? "asked" : "refused";
}

function otherItems(entry: JournalEntry, key: string): Item[] {
  switch (entry.type) {
    case "plan":
      return [{ key, kind: "given", plan: entry.plan }];
    case "started":
      return [{ key, kind: "taken-up", at: entry.at, epoch: entry.epoch }];
    case "message":
      return [{ key, kind: "message", from: entry.from, text: entry.text }];
    case "failure":
      return [{ key, kind: "failure", reason: entry.reason, at: entry.at }];
    case "summary":
      return [{ key, kind: "summary", text: entry.text, at: entry.at }];
    case "ended":
      return [{ key, kind: "end", end: entry.end, at: entry.at }];
    default:
      // A newer daemon may write what this page does not know.
      return [];
  }
}

export function thinkingText(thinking: readonly { text: string }[]): string {
  return thinking
    .map(({ text }) => text)
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}

/** Where a key stands; a turn in which nothing was said begins with its first call. */
export function placeAt(key: string | undefined, items: readonly Item[]): number {
  const exact = items.findIndex((item) => item.key === key);
  return exact < 0 ? items.findIndex((item) => item.key.startsWith(`${key} `)) : exact;
}

/** Where it went wrong: the last thing that failed before the end, or the end. */
export function failingPlace(items: readonly Item[]): string | undefined {
  const failed = items.findLast((item) => item.kind === "failure" || (item.kind === "call" && item.result?.failed));
  return (failed ?? items.findLast((item) => item.kind === "end") ?? items.at(-1))?.key;
}
