import { memo } from "react";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { merged } from "./colors/line-colors.ts";
import { useLineColors } from "./colors/use-colors.ts";
import type { DiffLine } from "./diff-model.ts";
import { spotKey } from "./diff-rows.ts";
import { changedWords } from "./diff-words.ts";
import { useSpot } from "./use-line-focus.ts";

const signs = { same: " ", added: "+", removed: "−" };
const grounds = { same: "", added: "bg-good-soft", removed: "bg-bad-soft" };
const spoken = { same: "", added: "added: ", removed: "removed: " };

interface LineProps {
  /** The key of its row. */
  id: string;
  path: string;
  line: DiffLine;
}

export const UnifiedLine = memo(function UnifiedLine({ id, path, line }: LineProps) {
  const isRemoved = line.kind === "removed";
  const number = <LineNumber id={id} path={path} line={line} />;
  return (
    <div className={`flex font-mono text-xs leading-[18px] ${grounds[line.kind]}`}>
      {isRemoved ? number : <PlainNumber number={line.old} />}
      {isRemoved ? <PlainNumber number={undefined} /> : number}
      <LineText id={id} line={line} />
    </div>
  );
});

/** A line of which nobody knows the number. */
export function PlainLine({ id, line }: LineProps) {
  return (
    <div className={`flex font-mono text-xs leading-[18px] ${grounds[line.kind]}`}>
      <LineText id={id} line={line} />
    </div>
  );
}

interface PairProps {
  id: string;
  path: string;
  left: DiffLine | undefined;
  right: DiffLine | undefined;
}

export const PairLine = memo(function PairLine({ id, path, left, right }: PairProps) {
  return (
    <div className="grid grid-cols-2 font-mono text-xs leading-[18px]">
      <div className={`flex min-w-0 border-r border-line ${left === undefined ? "bg-sunk" : grounds[left.kind]}`}>
        {left?.kind === "removed" ? <LineNumber id={id} path={path} line={left} /> : <PlainNumber number={left?.old} />}
        {left !== undefined && <LineText id={id} line={left} />}
      </div>
      <div className={`flex min-w-0 ${right === undefined ? "bg-sunk" : grounds[right.kind]}`}>
        {right === undefined ? <PlainNumber number={undefined} /> : <LineNumber id={id} path={path} line={right} />}
        {right !== undefined && <LineText id={id} line={right} />}
      </div>
    </div>
  );
});

const numbered =
  "w-12 shrink-0 px-1.5 text-right whitespace-nowrap text-faint tabular-nums select-none max-sm:w-9 max-sm:px-1";

function PlainNumber({ number }: { number: number | undefined }) {
  return (
    <span aria-hidden className={numbered}>
      {number}
    </span>
  );
}

/** The number by which remarks name the line: of the file as it is, or as it was for what is gone. */
function LineNumber({ id, path, line }: LineProps) {
  const isRemoved = line.kind === "removed";
  const number = isRemoved ? line.old : line.new;
  const key = spotKey(id, isRemoved ? "old" : "new");
  const { remarks, button, isCurrent } = useSpot(key);
  if (remarks === undefined || number === undefined) return <PlainNumber number={number} />;
  const label = `Comment on ${isRemoved ? "removed line" : "line"} ${number}`;
  return (
    <button
      ref={button}
      type="button"
      data-spot={key}
      tabIndex={isCurrent ? 0 : -1}
      title={label}
      aria-label={label}
      aria-describedby={textId(id, line)}
      onClick={() => remarks.onRemark({ path, line: number, isRemoved })}
      onFocus={() => remarks.onFocus(key)}
      className={`flex scroll-mt-28 scroll-mb-40 items-start justify-end ${numbered} hover:bg-accent hover:text-on-accent focus-visible:bg-accent focus-visible:text-on-accent`}
    >
      {number}
    </button>
  );
}

function textId(id: string, { kind }: DiffLine): string {
  return `text ${id} ${kind === "removed" ? "old" : "new"}`.replaceAll(" ", "-");
}

function LineText({ id, line }: Pick<LineProps, "id" | "line">) {
  const { kind, text, other, isUnended } = line;
  const colors = useLineColors(line);
  const mark = kind === "added" ? "bg-good/25" : "bg-bad/25";
  return (
    <>
      <span aria-hidden className="w-4 shrink-0 text-center select-none">
        {signs[kind]}
      </span>
      <span id={textId(id, line)} className="min-w-0 flex-1 pr-2 break-words whitespace-pre-wrap">
        <span className="sr-only">{spoken[kind]}</span>
        {merged(changedWords(text, other), colors).map(({ text: piece, isChanged, kind: color }, at) =>
          isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
            <mark key={at} className={`rounded-sm text-inherit ${mark}`}>
              {visibleLine(piece)}
            </mark>
          ) : color === undefined ? (
            visibleLine(piece)
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
            <span key={at} className={`code-${color}`}>
              {visibleLine(piece)}
            </span>
          ),
        )}
        {isUnended && <span className="text-faint select-none"> ⊘ no newline at end of file</span>}
      </span>
    </>
  );
}
