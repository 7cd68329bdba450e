import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Run, RunDiff } from "../../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../../src/contract/runs/run-status.ts";
import { queries } from "../../../api/queries.ts";
import { useKeys } from "../../../shell/keys.ts";
import { plural } from "../../../ui/figures.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { ReviewBar } from "../review/review-bar.tsx";
import { deedsFor } from "../standing.ts";
import { Windowed, type WindowedControl } from "../windowed.tsx";
import { ChangesBar, FileHead } from "./changes-bar.tsx";
import { ColorsOf, useColors } from "./colors/use-colors.ts";
import { ControlFileList } from "./control-files.tsx";
import { type DiffFinding, useFindings, withoutPlace, withPlace } from "./diff-findings.ts";
import { PairLine, UnifiedLine } from "./diff-line.tsx";
import { type DiffFile, filesOf } from "./diff-model.ts";
import { type DiffRow, rowAt, rowsOf } from "./diff-rows.ts";
import { FoundHere, OtherFindings } from "./found-here.tsx";
import { useDraft } from "./use-draft.ts";
import { type OnRemark, type Place, RemarksOn, useLineFocus } from "./use-line-focus.ts";
import { useSplit } from "./use-split.ts";

const ABOVE_PX = 96;

export default function ChangesView({ run, at }: { run: Run; at: string | undefined }) {
  const hasOwn = run.delivery !== undefined;
  const diff = useQuery({ ...queries.diff(run.id, stageOf(run)), enabled: hasOwn });
  if (!hasOwn) return <NoChanges run={run} />;
  return <Loaded query={diff}>{(data) => <Changes run={run} diff={data} at={at} />}</Loaded>;
}

function stageOf(run: Run) {
  if (!isOver(run)) return "running";
  return deedsFor(run).decide ? "review" : "settled";
}

function NoChanges({ run }: { run: Run }) {
  if (run.parentRunId === undefined) return <Empty title="This run had no write access." />;
  return (
    <Empty
      title="This run's changes are part of its parent run."
      action={
        <Link to="/runs/$runId" params={{ runId: run.parentRunId }} search={{ view: "changes" }} className="underline">
          Open parent run
        </Link>
      }
    />
  );
}

function Changes({ run, diff, at }: { run: Run; diff: RunDiff; at: string | undefined }) {
  const files = useMemo(() => filesOf(diff), [diff]);
  const findings = useFindings(run);
  const draft = useDraft(run.id);
  const mayDecide = deedsFor(run).decide;
  const box = useRef<HTMLTextAreaElement>(null);
  const remarked = useRef<HTMLElement>(null);
  const remark = useEffectEvent(({ path, line, isRemoved }: Place) => {
    draft.add(`${path}:${line} ${isRemoved ? "(removed) " : ""}`);
    remarked.current = document.activeElement as HTMLElement | null;
    box.current?.focus();
  });
  const [onRemark] = useState(() => (place: Place) => remark(place));
  /** Back to the line, if there was one. */
  const leaveBox = () => {
    box.current?.blur();
    remarked.current?.focus();
  };
  return (
    <>
      <ControlFileList files={diff.controlFiles} isInFolder={diff.delivery.kind === "folder"} />
      <Warnings diff={diff} />
      <OtherFindings findings={withoutPlace(findings, files)} />
      {files.length === 0 ? (
        <Empty title={emptyTitle(run, diff)} />
      ) : (
        <Files files={files} findings={findings} at={at} onRemark={mayDecide ? onRemark : undefined} />
      )}
      {mayDecide && <ReviewBar run={run} diff={diff} files={files} draft={draft} box={box} onLeave={leaveBox} />}
    </>
  );
}

function emptyTitle(run: Run, { incomplete }: RunDiff): string {
  if (incomplete) return "This run's changes are unknown.";
  return isOver(run) ? "No files changed" : "No changes yet";
}

function Warnings({ diff: { changedSince = [], truncated, incomplete } }: { diff: RunDiff }) {
  return (
    <>
      {incomplete && (
        <p role="alert" className="rounded-lg bg-warn-soft px-4 py-2 text-sm text-ink">
          <strong className="text-warn">Checkpoints of this run are missing.</strong> It may have changed more than
          shown here, including files that control your tools. Check the project's folder before you approve.
        </p>
      )}
      {changedSince.length > 0 && (
        <div role="alert" className="rounded-lg bg-warn-soft px-4 py-2 text-sm text-warn">
          <strong>{plural(changedSince.length, "file")} changed since the run:</strong>{" "}
          <span className="text-ink">
            {changedSince.map(visibleLine).join(", ")}. Reverting the run won't touch them.
          </span>
        </div>
      )}
      {truncated && (
        <p className="rounded-lg bg-warn-soft px-4 py-2 text-sm text-ink">
          The diff is too long to show in full. The omitted files are listed below and are part of this result.
        </p>
      )}
    </>
  );
}

interface FilesProps {
  files: readonly DiffFile[];
  findings: readonly DiffFinding[];
  /** The place that the address names. */
  at: string | undefined;
  onRemark: OnRemark | undefined;
}

function Files({ files, findings, at, onRemark }: FilesProps) {
  const split = useSplit();
  const { folded, fold } = useFolded(files);
  const colors = useColors(files);
  const placed = useMemo(() => withPlace(findings, files), [findings, files]);
  const rows = useMemo(
    () => rowsOf(files, { folded, isSplit: split.isOn, findings: placed }),
    [files, folded, split.isOn, placed],
  );
  const control = useRef<WindowedControl>(null);
  useNamedPlace({ at, rows, files, control });
  const [current, setCurrent] = useState(0);
  const first = useRef(0);
  const onFirst = useCallback(
    (at: number) => {
      first.current = at;
      setCurrent(rows[at]?.file ?? 0);
    },
    [rows],
  );
  const remarks = useLineFocus({ rows, control, first, onRemark });
  const show = (file: number) => {
    const at = rows.findIndex((row) => row.file === file);
    if (at < 0) return;
    control.current?.show(at);
    setTimeout(() => document.querySelector<HTMLElement>(`[data-file="${file}"]`)?.focus({ preventScroll: true }), 60);
  };
  const move = (by: number) => {
    const focused = Number((document.activeElement as HTMLElement | null)?.dataset.file ?? Number.NaN);
    const from = Number.isNaN(focused) ? (by > 0 ? current - 1 : current) : focused;
    show(Math.min(files.length - 1, Math.max(0, from + by)));
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  return (
    <div>
      <ChangesBar files={files} current={current} onShow={show} onFold={fold} folded={folded} split={split} />
      <ColorsOf value={colors}>
        <RemarksOn value={remarks}>
          <Windowed
            rows={rows}
            keyOf={keyOf}
            estimate={20}
            label="Changed lines"
            above={ABOVE_PX}
            control={control}
            onFirst={onFirst}
          >
            {(row) => <Row row={row} files={files} folded={folded} onFold={fold} />}
          </Windowed>
        </RemarksOn>
      </ColorsOf>
    </div>
  );
}

const keyOf = ({ key }: DiffRow) => key;

interface Named {
  at: string | undefined;
  rows: readonly DiffRow[];
  files: readonly DiffFile[];
  control: RefObject<WindowedControl | null>;
}

/** Goes to the place that the address names, once for each. */
function useNamedPlace({ at, rows, files, control }: Named): void {
  const show = useEffectEvent((place: string) => {
    const row = rowAt(rows, files, place);
    if (row !== undefined) setTimeout(() => control.current?.show(row, "center"), 60);
  });
  useEffect(() => {
    if (at !== undefined) show(at);
  }, [at]);
}

function useFolded(files: readonly DiffFile[]) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  /** Of one file, or of all. */
  const fold = useCallback(
    (path: string | undefined) => {
      setFolded((before) => {
        if (path === undefined) return before.size > 0 ? new Set() : new Set(files.map((file) => file.path));
        const after = new Set(before);
        if (!after.delete(path)) after.add(path);
        return after;
      });
    },
    [files],
  );
  return { folded, fold };
}

interface RowProps {
  row: DiffRow;
  files: readonly DiffFile[];
  folded: ReadonlySet<string>;
  onFold: (path: string) => void;
}

function Row({ row, files, folded, onFold }: RowProps) {
  const file = files[row.file];
  if (file === undefined) return null;
  const sides = "border-x border-line bg-card";
  switch (row.kind) {
    case "head":
      return <FileHead file={file} at={row.file} isFolded={folded.has(file.path)} onFold={() => onFold(file.path)} />;
    case "hunk":
      return <p className={`bg-info-soft px-3 font-mono text-xs leading-[22px] text-info ${sides}`}>{row.text}</p>;
    case "note":
      return <p className={`px-3 py-2 text-sm text-faint ${sides}`}>{row.text}</p>;
    case "line":
      return (
        <div className={sides}>
          <UnifiedLine id={row.key} path={file.path} line={row.line} />
        </div>
      );
    case "pair":
      return (
        <div className={sides}>
          <PairLine id={row.key} path={file.path} left={row.left} right={row.right} />
        </div>
      );
    case "findings":
      return (
        <div className={sides}>
          <FoundHere findings={row.findings} isInLine={row.isInLine} />
        </div>
      );
    case "foot":
      return <div className="mb-4 h-2 rounded-b-lg border-x border-b border-line bg-card" />;
  }
}
