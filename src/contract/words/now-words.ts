import type { Attention, Now, RunLine } from "../now.ts";
import { activityWords } from "./activity-words.ts";
import { type Hint, heardHint } from "./hint.ts";
import { PERMISSION_WORD } from "./queue-words.ts";
import { runStateWord } from "./run-words.ts";

/** What needs the person, by kind. */
const ATTENTION_WORDS: Record<Attention["kind"], string> = {
  failed: "Failed",
  waiting: "Waiting",
  suspended: "Suspended",
  problem: "Unreadable file",
  skill: "Skill to accept",
  instructions: "Instructions to accept",
  folder: "Working folder changed",
  damaged: "Damaged repository",
  escalation: "Question",
};

export interface NowItem {
  title: string;
  projectId?: string | undefined;
  /** What it is about: `Failed`, `reading src/a.ts`. */
  state: string;
  detail?: string | undefined;
  /** The id of the run or the escalation. */
  ref?: string | undefined;
  hint?: Hint | undefined;
}

export interface NowGroup {
  kind: "needs-me" | "review" | "working" | "recent";
  title: string;
  /** Of all; the items may be fewer. */
  count: number;
  items: NowItem[];
}

/** What Now shows, in the order of its page. Empty groups are left out. */
export function nowGroups({ needsMe, review, working, done, counts }: Now): NowGroup[] {
  const waiting = review.map((run) => runItem(run, "In review"));
  const underWay = working.map((run) => runItem(run, doing(run)));
  const recent = done.map((run) => runItem(run, runStateWord(run)));
  const groups: NowGroup[] = [
    { kind: "needs-me", title: "Needs you", count: counts.needsMe, items: needsMe.map(attentionItem) },
    { kind: "review", title: "In review", count: counts.review, items: waiting },
    { kind: "working", title: "Working", count: counts.running + counts.pending, items: underWay },
    { kind: "recent", title: "Recent", count: done.length, items: recent },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** What an item is, in a word or two. */
function attentionWord({ kind, origin }: Pick<Attention, "kind" | "origin">): string {
  return origin === "permission" ? PERMISSION_WORD : ATTENTION_WORDS[kind];
}

function attentionItem({ kind, origin, title, projectId, detail, run, id, ...told }: Attention): NowItem {
  const ref = run?.id ?? (kind === "failed" || kind === "waiting" || kind === "escalation" ? id : undefined);
  return { title, projectId, state: attentionWord({ kind, origin }), detail, ref, hint: heardHint(told) };
}

function runItem({ id, title, projectId }: RunLine, state: string): NowItem {
  return { title, projectId, state, ref: id };
}

function doing({ status, activity }: RunLine): string {
  return activity === undefined ? (status === "pending" ? "queued" : "working") : activityWords(activity);
}
