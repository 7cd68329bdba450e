import { ArrowDown, Bot } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../../src/contract/runs/run-status.ts";
import { activityWords } from "../../../../../src/contract/words/activity-words.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { capital } from "../../../ui/text/capital.ts";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { Windowed, type WindowedControl } from "../windowed.tsx";
import type { LiveAnswer } from "./live-answer.ts";
import { MessageBox } from "./message-box.tsx";
import { Line, Thinking, TranscriptItem } from "./transcript-item.tsx";
import { failingPlace, type Item, itemsOf, placeAt } from "./transcript-model.ts";
import { useLiveAnswer, useTranscript } from "./use-transcript.ts";

/** The address names the place where a run went wrong with this. */
const FAILING = "failing";
const ABOVE_PX = 120;

export default function TranscriptView({ run, at }: { run: Run; at: string | undefined }) {
  const entries = useTranscript(run.id);
  return <Loaded query={entries}>{(data) => <Shown run={run} at={at} entries={data} />}</Loaded>;
}

function Shown({ run, at, entries }: { run: Run; at: string | undefined; entries: readonly JournalEntry[] }) {
  const items = useMemo(() => itemsOf(entries), [entries]);
  const live = useLiveAnswer(run, entries);
  // What commands said before the page listened is told only at their end.
  const [midway] = useState(() => new Set(items.flatMap((item) => (isUnderWay(item) ? [item.key] : []))));
  const { open, toggle, unfold } = useOpen();
  const control = useRef<WindowedControl>(null);
  const { isAtEnd, toEnd } = useAtEnd(!isOver(run));
  usePlace(at, items, (index) => {
    unfold(items[index]?.key ?? "");
    control.current?.show(index, "center");
  });
  if (items.length === 0 && isOver(run)) return <Empty title="No transcript was recorded for this run." />;
  const isRunning = run.status === "running";
  return (
    <div className="flex flex-col">
      <Windowed
        rows={items}
        keyOf={({ key }) => key}
        estimate={44}
        label="Transcript"
        above={ABOVE_PX}
        control={control}
      >
        {(item) => (
          <TranscriptItem
            item={item}
            isOpen={open.has(item.key)}
            isRunning={isRunning}
            output={item.kind === "call" ? live.outputs[item.call.id] : undefined}
            isMidway={midway.has(item.key)}
            onToggle={toggle}
          />
        )}
      </Windowed>
      {!isOver(run) && <Now run={run} live={live} open={open} toggle={toggle} />}
      {!isAtEnd && items.length > 0 && (
        <div className="pointer-events-none sticky bottom-20 flex justify-center max-md:bottom-32">
          <Button className="pointer-events-auto shadow-lg" onClick={toEnd}>
            <ArrowDown size={14} aria-hidden />
            {isOver(run) ? "Jump to end" : "Jump to latest"}
          </Button>
        </div>
      )}
      {isRunning && <MessageBox runId={run.id} />}
    </div>
  );
}

function isUnderWay(item: Item): boolean {
  return item.kind === "call" && item.result === undefined;
}

function useOpen() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const unfold = (key: string) => setOpen((before) => new Set(before).add(key));
  return { open, toggle, unfold };
}

/** Goes to the place that the address names, once it is there. */
function usePlace(at: string | undefined, items: readonly Item[], go: (index: number) => void): void {
  const gone = useRef<string>(undefined);
  const onPlace = useEffectEvent(go);
  useEffect(() => {
    if (at === undefined || at === gone.current) return;
    const index = placeAt(at === FAILING ? failingPlace(items) : at, items);
    if (index < 0) return;
    gone.current = at;
    onPlace(index);
    // Rows are measured as they are drawn: the second time all between here and there have their size.
    requestAnimationFrame(() => onPlace(index));
  }, [at, items]);
}

interface NowProps {
  run: Run;
  live: LiveAnswer;
  open: ReadonlySet<string>;
  toggle: (key: string) => void;
}

/** What the agent says at this moment. Whoever hears the page is told of what it does, not of every word. */
function Now({ run, live, open, toggle }: NowProps) {
  const isSaying = live.text !== "" || live.thinking !== "";
  const words = live.again ?? standing(run);
  return (
    <Line icon={Bot} label="Agent, now">
      {live.thinking !== "" && (
        <Thinking text={live.thinking} isOpen={open.has("live")} onToggle={() => toggle("live")} />
      )}
      {live.text !== "" && (
        <div className="text-sm">
          <Markdown text={live.text} />
        </div>
      )}
      {live.calls.map(({ id, name }) => (
        <p key={id} className="text-sm text-faint">
          Calling <code>{name}</code> …
        </p>
      ))}
      {words !== undefined && <p className="text-sm text-faint">{words}</p>}
      {!isSaying && words === undefined && (
        <p className="flex items-center gap-2 pt-1 text-sm text-faint">
          <span aria-hidden className="size-2 animate-pulse rounded-full bg-info" />
          Running
        </p>
      )}
    </Line>
  );
}

/** Why nothing happens at this moment; undefined while the agent works. */
function standing({ status, activity }: Run): string | undefined {
  if (status === "pending") return "Waiting to start";
  return activity?.kind === "waiting" ? capital(activityWords(activity)) : undefined;
}

const NEAR_PX = 100;

/** Whether the reader is at the end of the page; with `follows`, the page stays at its end while it grows. */
function useAtEnd(follows: boolean): { isAtEnd: boolean; toEnd: () => void } {
  const [isAtEnd, setAtEnd] = useState(true);
  const stays = useRef(false);
  useEffect(() => {
    let last = window.scrollY;
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const isNear = scrollHeight - clientHeight - window.scrollY < NEAR_PX;
      // A page that grew under the reader is no step back of theirs.
      stays.current = isNear || (stays.current && window.scrollY >= last);
      last = window.scrollY;
      setAtEnd(stays.current);
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);
  // After every drawing, as each may have made the page longer.
  useLayoutEffect(() => {
    if (follows && stays.current) toEnd();
  });
  return { isAtEnd, toEnd };
}

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
