import { memo } from "react";
import type { DiffLine } from "./diff-model.ts";
import { changedWords } from "./diff-words.ts";
import { visibleLine } from "./visible-text.ts";

const signs = { same: " ", added: "+", removed: "−" };
const grounds = { same: "", added: "bg-good-soft", removed: "bg-bad-soft" };
const spoken = { same: "", added: "added: ", removed: "removed: " };

/** Adds a remark about a line to what is sent back; undefined when nothing is to be decided. */
export type Remark = ((line: number) => void) | undefined;

interface LineProps {
  line: DiffLine;
  onRemark: Remark;
}

export const UnifiedLine = memo(function UnifiedLine({ line, onRemark }: LineProps) {
  return (
    <div className={`flex font-mono text-xs leading-[18px] ${grounds[line.kind]}`}>
      <LineNumber number={line.old} />
      <LineNumber number={line.new} onRemark={onRemark} />
      <LineText line={line} />
    </div>
  );
});

interface PairProps {
  left: DiffLine | undefined;
  right: DiffLine | undefined;
  onRemark: Remark;
}

export const PairLine = memo(function PairLine({ left, right, onRemark }: PairProps) {
  return (
    <div className="grid grid-cols-2 font-mono text-xs leading-[18px]">
      <div className={`flex min-w-0 border-r border-line ${left === undefined ? "bg-sunk" : grounds[left.kind]}`}>
        <LineNumber number={left?.old} />
        {left !== undefined && <LineText line={left} />}
      </div>
      <div className={`flex min-w-0 ${right === undefined ? "bg-sunk" : grounds[right.kind]}`}>
        <LineNumber number={right?.new} onRemark={onRemark} />
        {right !== undefined && <LineText line={right} />}
      </div>
    </div>
  );
});

function LineNumber({ number, onRemark }: { number: number | undefined; onRemark?: Remark }) {
  const look =
    "w-12 shrink-0 px-1.5 text-right whitespace-nowrap text-faint tabular-nums select-none max-sm:w-9 max-sm:px-1";
  if (onRemark === undefined || number === undefined)
    return (
      <span aria-hidden className={look}>
        {number}
      </span>
    );
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Remark on line ${number}`}
      aria-label={`Remark on line ${number}`}
      onClick={() => onRemark(number)}
      className={`flex items-start justify-end ${look} hover:bg-accent hover:text-on-accent`}
    >
      {number}
    </button>
  );
}

function LineText({ line }: { line: DiffLine }) {
  const { kind, text, other, isUnended } = line;
  const mark = kind === "added" ? "bg-good/25" : "bg-bad/25";
  return (
    <>
      <span aria-hidden className="w-4 shrink-0 text-center select-none">
        {signs[kind]}
      </span>
      <span className="min-w-0 flex-1 pr-2 break-words whitespace-pre-wrap">
        <span className="sr-only">{spoken[kind]}</span>
        {changedWords(text, other).map(({ text: piece, isChanged }, at) =>
          isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
            <mark key={at} className={`rounded-sm text-inherit ${mark}`}>
              {visibleLine(piece)}
            </mark>
          ) : (
            visibleLine(piece)
          ),
        )}
        {isUnended && <span className="text-faint select-none"> ⊘ no line break at the end</span>}
      </span>
    </>
  );
}
