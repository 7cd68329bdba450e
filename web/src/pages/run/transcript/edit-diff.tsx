import { useMemo, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { plural } from "../../../ui/figures.tsx";
import { Counts } from "../diff/changes-bar.tsx";
import { ColorsOf, useColors } from "../diff/colors/use-colors.ts";
import { PlainLine } from "../diff/diff-line.tsx";
import type { FileEdit } from "./edit-model.ts";

/** Lines of an edit that are shown in the flow of a transcript. */
const MOST_LINES = 12;

interface EditDiffProps {
  id: string;
  edit: FileEdit;
  isFailed?: boolean;
  /** Lines that are shown at first. */
  most?: number;
}

/** An edit as red and green lines, right where the agent made it. */
export function EditDiff({ id, edit, isFailed = false, most = MOST_LINES }: EditDiffProps) {
  const [isWhole, setWhole] = useState(false);
  const { lines, path, gaps } = edit;
  const colors = useColors(useMemo(() => [{ path, hunks: [{ place: "", lines }] }], [path, lines]));
  const left = isWhole ? 0 : Math.max(0, lines.length - most);
  return (
    <div className={`border-t border-line ${isFailed ? "opacity-60" : ""}`}>
      {isFailed && <p className="px-2.5 pt-1.5 text-xs text-bad">Not applied.</p>}
      <ColorsOf value={colors}>
        <ul aria-label={`Changed lines of ${path}`} className="py-1">
          {lines.slice(0, lines.length - left).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
            <li key={at}>
              {gaps.includes(at) && <p className="border-y border-line px-2.5 text-xs text-faint">…</p>}
              <PlainLine id={`${id} ${at}`} path={path} line={line} />
            </li>
          ))}
        </ul>
      </ColorsOf>
      {left > 0 && (
        <Button kind="ghost" size="small" className="mb-1 ml-1" onClick={() => setWhole(true)}>
          Show {plural(left, "more line")}
        </Button>
      )}
    </div>
  );
}

export function EditCounts({ edit: { lines } }: { edit: FileEdit }) {
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  return <Counts additions={count("added")} deletions={count("removed")} />;
}
