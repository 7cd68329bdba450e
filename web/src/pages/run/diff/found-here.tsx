import { Link } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";
import { plural } from "../../../ui/figures.tsx";
import { FindingItem } from "../../gate/finding-item.tsx";
import { isBlocking, isStanding } from "../../gate/report-model.ts";
import type { DiffFinding } from "./diff-findings.ts";

/** What was found at a line of the diff, or in its file where the line is not shown. */
export function FoundHere({ findings, isInLine }: { findings: readonly DiffFinding[]; isInLine: boolean }) {
  return (
    <ul aria-label="Findings" className="flex flex-col gap-1 px-2 py-1.5 sm:pl-12">
      {findings.map((finding) => (
        <li
          key={finding.key}
          className={`rounded-md border border-l-4 border-line bg-paper px-3 py-2 ${isBlocking(finding) ? "border-l-bad" : isStanding(finding) ? "border-l-warn" : ""}`}
        >
          <FindingItem finding={finding} hidePlace={isInLine} />
          <Whole finding={finding} />
        </li>
      ))}
    </ul>
  );
}

/** Where all of it is: the gate report, or the review. */
function Whole({ finding: { gateId, reviewId } }: { finding: DiffFinding }) {
  if (gateId !== undefined)
    return (
      <Link to="/gates/$gateId" params={{ gateId }} className="text-xs text-accent underline">
        Gate report
      </Link>
    );
  if (reviewId === undefined) return null;
  return (
    <Link to="/runs/$runId" params={{ runId: reviewId }} className="text-xs text-accent underline">
      Open review
    </Link>
  );
}

const MOST = 20;

/** Findings about files that the diff does not have, or about no file. */
export function OtherFindings({ findings }: { findings: readonly DiffFinding[] }) {
  const shown = findings.filter(isStanding);
  if (shown.length === 0) return null;
  return (
    <details className="rounded-lg border border-line bg-card" open={shown.length <= 3}>
      <summary className="flex items-center gap-2 px-4 py-2 text-sm font-medium">
        <ShieldAlert size={16} aria-hidden className="shrink-0 text-warn" />
        {plural(shown.length, "finding")} outside the diff
      </summary>
      <ul aria-label="Findings outside the diff" className="divide-y divide-line border-t border-line">
        {shown.slice(0, MOST).map((finding) => (
          <li key={finding.key} className="px-4 py-2">
            <FindingItem finding={finding} />
            <Whole finding={finding} />
          </li>
        ))}
      </ul>
      {shown.length > MOST && (
        <p className="px-4 py-2 text-sm text-faint">and {shown.length - MOST} more in the report</p>
      )}
    </details>
  );
}
