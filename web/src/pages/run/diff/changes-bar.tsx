import { ChevronDown, ChevronRight, ChevronUp, Columns2, FoldVertical, Rows2, UnfoldVertical } from "lucide-react";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { countText, plural } from "../../../ui/figures.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { sum } from "../timeline/cost-model.ts";
import type { DiffFile } from "./diff-model.ts";
import type { Split } from "./use-split.ts";

const changes = { added: "new", deleted: "deleted", renamed: "moved", changed: undefined };

export function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <span className="shrink-0 text-xs font-medium whitespace-nowrap tabular-nums">
      <span className="text-good">+{countText(additions)}</span>{" "}
      <span className="text-bad">−{countText(deletions)}</span>
    </span>
  );
}

interface FileHeadProps {
  file: DiffFile;
  at: number;
  isFolded: boolean;
  onFold: () => void;
}

export function FileHead({ file, at, isFolded, onFold }: FileHeadProps) {
  const { path, from, change, additions, deletions } = file;
  return (
    <h2 className={isFolded ? "mb-2" : ""}>
      <button
        type="button"
        data-row
        data-file={at}
        aria-expanded={!isFolded}
        onClick={onFold}
        className={`flex w-full items-center gap-2 border border-line bg-sunk px-3 py-2 text-left ${isFolded ? "rounded-lg" : "rounded-t-lg"}`}
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-faint ${isFolded ? "" : "rotate-90"}`} />
        <code className="min-w-0 flex-1 text-xs font-semibold">
          {from !== undefined && <span className="font-normal text-faint">{visibleLine(from)} → </span>}
          {visibleLine(path)}
        </code>
        {changes[change] !== undefined && <Badge>{changes[change]}</Badge>}
        <Counts additions={additions} deletions={deletions} />
      </button>
    </h2>
  );
}

interface ChangesBarProps {
  files: readonly DiffFile[];
  current: number;
  folded: ReadonlySet<string>;
  split: Split;
  onShow: (file: number) => void;
  onFold: (path: string | undefined) => void;
}

/** Where one is in the changes, always in sight. */
export function ChangesBar({ files, current, folded, split, onShow, onFold }: ChangesBarProps) {
  const additions = sum(files, (file) => file.additions);
  const deletions = sum(files, (file) => file.deletions);
  return (
    <div className="sticky top-10 z-10 mb-3 flex items-center gap-2 border-b border-line bg-paper py-1.5 text-sm max-md:top-21">
      <span className="shrink-0 max-sm:hidden">{plural(files.length, "file")}</span>
      <Counts additions={additions} deletions={deletions} />
      <label className="flex min-w-0 flex-1 items-center">
        <span className="sr-only">Jump to a file</span>
        <select
          value={current}
          onChange={(event) => onShow(Number(event.target.value))}
          className="h-7 w-full min-w-0 truncate rounded-md border border-edge bg-card px-1.5 text-xs"
        >
          {files.map(({ path }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a path may come twice
            <option key={at} value={at}>
              {visibleLine(path)}
            </option>
          ))}
        </select>
      </label>
      <span className="shrink-0">
        <IconButton label="Previous file (k)" disabled={current === 0} onClick={() => onShow(current - 1)}>
          <ChevronUp size={16} />
        </IconButton>
        <IconButton label="Next file (j)" disabled={current >= files.length - 1} onClick={() => onShow(current + 1)}>
          <ChevronDown size={16} />
        </IconButton>
        <IconButton label={folded.size > 0 ? "Expand all" : "Collapse all"} onClick={() => onFold(undefined)}>
          {folded.size > 0 ? <UnfoldVertical size={16} /> : <FoldVertical size={16} />}
        </IconButton>
      </span>
      {split.isPossible && (
        <Button size="small" aria-pressed={split.isOn} onClick={split.toggle}>
          {split.isOn ? <Rows2 size={14} aria-hidden /> : <Columns2 size={14} aria-hidden />}
          {split.isOn ? "Unified" : "Side by side"}
        </Button>
      )}
    </div>
  );
}
