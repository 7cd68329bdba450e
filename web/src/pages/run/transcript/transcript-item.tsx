import {
  Bot,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleStop,
  ClipboardList,
  Hourglass,
  Landmark,
  type LucideIcon,
  Play,
  ScrollText,
  User,
  Webhook,
  Wrench,
} from "lucide-react";
import { memo, type ReactNode } from "react";
import { WAIT_WORDS } from "../../../../../src/contract/words/wait-words.ts";
import { durationText, moneyText } from "../../../ui/figures.tsx";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { HookLine } from "./call-checks.tsx";
import { ToolCall } from "./tool-call.tsx";
import type { Item } from "./transcript-model.ts";

const SAID_BY = { person: "You", hall: "Guildhall", team: "Team" } as const;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

interface ItemProps {
  item: Item;
  isOpen: boolean;
  isRunning: boolean;
  output?: string | undefined;
  /** It was under way before the page was opened. */
  isMidway?: boolean;
  onToggle: (key: string) => void;
}

export const TranscriptItem = memo(function TranscriptItem({
  item,
  isOpen,
  isRunning,
  output,
  isMidway = false,
  onToggle,
}: ItemProps) {
  const toggle = () => onToggle(item.key);
  switch (item.kind) {
    case "said":
      return <Said item={item} isOpen={isOpen} onToggle={toggle} />;
    case "call":
      return (
        <Line icon={Wrench} label="Tool">
          <ToolCall
            item={item}
            output={output}
            isMidway={isMidway}
            isOpen={isOpen}
            isRunning={isRunning}
            onToggle={toggle}
          />
        </Line>
      );
    case "message":
      return (
        <Line icon={item.from === "person" ? User : Landmark} label={SAID_BY[item.from]}>
          <div className={`rounded-md px-3 py-2 text-sm ${item.from === "person" ? "bg-accent-soft" : "bg-sunk"}`}>
            <p className="text-xs font-medium text-faint">{SAID_BY[item.from]}</p>
            <Markdown text={item.text} />
          </div>
        </Line>
      );
    case "given":
      return (
        <Folded icon={ClipboardList} title={`Task: ${item.plan.title}`} isOpen={isOpen} onToggle={toggle}>
          <Markdown text={item.plan.prompt} />
        </Folded>
      );
    case "summary":
      return (
        <Folded icon={ScrollText} title="Older turns summarized" isOpen={isOpen} onToggle={toggle}>
          <Markdown text={item.text} />
        </Folded>
      );
    case "hook":
      return (
        <Line icon={Webhook} label="Hook">
          <div className="rounded-md bg-sunk px-3 py-1.5">
            <HookLine hook={item.hook} />
          </div>
        </Line>
      );
    default:
      return <Note item={item} />;
  }
});

export function Line({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex gap-2.5 py-1">
      <span className="mt-1.5 shrink-0 text-faint max-sm:hidden">
        <Icon size={15} aria-label={label} />
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

function Said({
  item,
  isOpen,
  onToggle,
}: {
  item: Extract<Item, { kind: "said" }>;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { turn, at, costUsd, isKnown, text, thinking, finish } = item;
  const odd = {
    length: "cut off at the length limit",
    refused: "refused by the provider",
    interrupted: "interrupted",
  };
  const why = (odd as Record<string, string>)[finish];
  return (
    <Line icon={Bot} label="Agent">
      <p className="pt-1 text-xs text-faint tabular-nums">
        Turn {turn} · {clock.format(new Date(at))}
        {costUsd > 0 && ` · ${moneyText(costUsd, isKnown)}`}
        {why !== undefined && <span className="text-warn"> · {why}</span>}
      </p>
      {thinking !== "" && <Thinking text={thinking} isOpen={isOpen} onToggle={onToggle} />}
      {text.trim() !== "" && (
        <div className="text-sm">
          <Markdown text={text} />
        </div>
      )}
    </Line>
  );
}

export function Thinking({ text, isOpen, onToggle }: { text: string; isOpen: boolean; onToggle: () => void }) {
  return (
    <div className="my-1 text-sm text-faint">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-6 max-w-full items-center gap-1 rounded text-left hover:text-ink"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 ${isOpen ? "rotate-90" : ""}`} />
        <span className="shrink-0 font-medium">Thought</span>
        {!isOpen && <span className="truncate italic">{text.split("\n", 1)[0]}</span>}
      </button>
      {isOpen && (
        <div className="border-l-2 border-line pl-3">
          <Markdown text={text} />
        </div>
      )}
    </div>
  );
}

interface FoldedProps {
  icon: LucideIcon;
  title: string;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function Folded({ icon, title, isOpen, onToggle, children }: FoldedProps) {
  return (
    <Line icon={icon} label="">
      <div className="rounded-md border border-line bg-card">
        <button
          type="button"
          data-row
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 py-1 text-left text-sm hover:bg-sunk"
        >
          <ChevronRight size={14} aria-hidden className={`shrink-0 text-faint ${isOpen ? "rotate-90" : ""}`} />
          <span className={isOpen ? "" : "truncate"}>{title}</span>
        </button>
        {isOpen && <div className="border-t border-line px-3 py-2 text-sm">{children}</div>}
      </div>
    </Line>
  );
}

/** What happened to the run itself. */
function Note({ item }: { item: Item }) {
  const note = noteOf(item);
  if (note === undefined) return null;
  const { icon, tone, title, text, at } = note;
  return (
    <Line icon={icon} label="">
      <div className={`rounded-md px-3 py-1.5 text-sm ${tone}`}>
        <span className="font-medium">{title}</span>
        <span className="text-xs text-faint"> · {clock.format(new Date(at))}</span>
        {text !== undefined && text.trim() !== "" && <p className="text-ink">{text}</p>}
      </div>
    </Line>
  );
}

interface Noted {
  icon: LucideIcon;
  tone: string;
  title: string;
  text?: string | undefined;
  at: string;
}

function noteOf(item: Item): Noted | undefined {
  if (item.kind === "taken-up") {
    const title = item.epoch === 1 ? "Started" : "Resumed in a new process";
    return { icon: Play, tone: "text-faint", title, at: item.at };
  }
  if (item.kind === "failure") {
    const title = "The model didn't answer. Retrying.";
    return { icon: CircleAlert, tone: "bg-warn-soft text-warn", title, text: item.reason, at: item.at };
  }
  if (item.kind === "wait") {
    const waited =
      item.until === undefined ? "" : `, for ${durationText(Date.parse(item.until) - Date.parse(item.at))}`;
    const title = `${item.until === undefined ? "Waiting" : "Waited"} for ${WAIT_WORDS[item.reason]}${waited}`;
    return { icon: Hourglass, tone: "bg-warn-soft text-warn", title, text: item.text, at: item.at };
  }
  return item.kind === "end" ? endNote(item) : undefined;
}

function endNote({ end, at }: Extract<Item, { kind: "end" }>): Noted {
  if (end.status === "completed") return { icon: CircleCheck, tone: "bg-good-soft text-good", title: "Completed", at };
  if (end.status === "failed")
    return { icon: CircleAlert, tone: "bg-bad-soft text-bad", title: "Failed", text: end.error, at };
  return { icon: CircleStop, tone: "bg-sunk text-faint", title: "Stopped", text: end.error, at };
}
