import { Check, ChevronRight, Hourglass, LoaderCircle, TriangleAlert, X } from "lucide-react";
import { useMemo, useState } from "react";
import { callWords } from "../../../../../src/contract/words/call-words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { plural, tookText } from "../../../ui/figures.tsx";
import { beginningOf, visibleLine, visibleText } from "../../../ui/text/visible-text.ts";
import { CheckBadge, HookLines } from "./call-checks.tsx";
import { EditCounts, EditDiff } from "./edit-diff.tsx";
import { editOf } from "./edit-model.ts";
import { inputText } from "./input-text.ts";
import { checkOf, type Item } from "./transcript-model.ts";

/** Quicker than this, nobody asks where the time went. */
export const SHORTEST_TOLD_MS = 100;

const MIDWAY = "Output since you opened this page. Earlier output appears when the command ends.";

type Call = Extract<Item, { kind: "call" }>;

interface ToolCallProps {
  item: Call;
  /** What it says while it runs. */
  output: string | undefined;
  /** What it said before is not at hand. */
  isMidway: boolean;
  isOpen: boolean;
  isRunning: boolean;
  onToggle: () => void;
}

/** A call in one line; what went in and came out of it below, when it is opened. */
export function ToolCall({ item, output, isMidway, isOpen, isRunning, onToggle }: ToolCallProps) {
  const { call, result, hooks = [] } = item;
  const check = checkOf(item);
  const isShown = isOpen || (result === undefined && output !== undefined);
  const edit = useMemo(() => editOf(call), [call]);
  return (
    <div className="rounded-md border border-line bg-card">
      <button
        type="button"
        data-row
        aria-expanded={isShown}
        onClick={onToggle}
        className="flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 py-1 text-left text-sm hover:bg-sunk"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-faint transition-transform ${isShown ? "rotate-90" : ""}`}
        />
        <CallState
          result={result}
          isRunning={isRunning && check !== "asked"}
          isWaiting={isRunning && check === "asked"}
        />
        <code className="shrink-0 font-semibold">{call.name}</code>
        <code className={`min-w-0 flex-1 text-faint ${isShown ? "" : "truncate"}`}>
          <bdi>{visibleLine(callWords(call.input))}</bdi>
        </code>
        {edit !== undefined && <EditCounts edit={edit} />}
        {result?.untrusted !== undefined && (
          <Badge tone="warn" title={`Untrusted content: ${result.untrusted}`}>
            <TriangleAlert size={12} aria-hidden /> untrusted
          </Badge>
        )}
        {result?.ms !== undefined && result.ms >= SHORTEST_TOLD_MS && (
          <span className="shrink-0 text-xs text-faint tabular-nums">{tookText(result.ms)}</span>
        )}
        {result?.stopped !== undefined && <Badge tone="warn">stopped: too much {result.stopped}</Badge>}
        {result?.failed && check !== "refused" && <Badge tone="bad">failed</Badge>}
        <CheckBadge item={item} />
      </button>
      {edit !== undefined && <EditDiff id={item.key} edit={edit} isFailed={result?.failed === true} />}
      <HookLines hooks={hooks} isOpen={isShown} />
      {isShown && (
        <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
          {edit === undefined && <Words name="Input" text={visibleLine(inputText(call.input))} />}
          {result !== undefined && (
            <Words
              name={result.untrusted === undefined ? "Output" : `Output, untrusted (${result.untrusted})`}
              text={visibleText(result.output)}
            />
          )}
          {result === undefined && output !== undefined && (
            <Words name={isMidway ? MIDWAY : "Output so far"} text={visibleText(output)} isEnd />
          )}
        </div>
      )}
    </div>
  );
}

interface StateProps {
  result: Call["result"];
  isRunning: boolean;
  /** For permission. */
  isWaiting: boolean;
}

function CallState({ result, isRunning, isWaiting }: StateProps) {
  if (result?.failed) return <X size={14} aria-label="failed" className="shrink-0 text-bad" />;
  if (result !== undefined) return <Check size={14} aria-label="done" className="shrink-0 text-good" />;
  if (isRunning) return <LoaderCircle size={14} aria-label="running" className="shrink-0 animate-spin text-info" />;
  if (isWaiting) return <Hourglass size={14} aria-label="waiting" className="shrink-0 text-warn" />;
  return <X size={14} aria-label="not executed" className="shrink-0 text-faint" />;
}

/** A text of any length; of a long one the beginning, or the end, until all of it is wanted. */
function Words({ name, text, isEnd = false }: { name: string; text: string; isEnd?: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const cut = isWhole || isEnd ? undefined : beginningOf(text);
  const shown = isEnd ? text.split("\n").slice(-24).join("\n") : (cut?.text ?? text);
  return (
    <div className="min-w-0">
      <p className="text-xs text-faint">{name}</p>
      {text.trim() === "" ? (
        <p className="text-sm text-faint">Empty</p>
      ) : (
        <pre className="rounded bg-sunk px-2 py-1.5 text-xs whitespace-pre-wrap">{shown}</pre>
      )}
      {cut !== undefined && (
        <Button kind="ghost" size="small" onClick={() => setWhole(true)}>
          {cut.left > 0 ? `Show all (${plural(cut.left, "more line")})` : "Show all"}
        </Button>
      )}
    </div>
  );
}
