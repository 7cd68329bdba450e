import type { ReviewFinding } from "../../../../../src/contract/runs/run-review.ts";
import { findingPlace } from "../../../../../src/contract/words/review-words.ts";
import { FindingText, SeverityBadge } from "../../../ui/run/finding.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

/** Each problem that a reviewer found. */
export function Findings({ findings }: { findings: readonly ReviewFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul aria-label="Findings" className="mt-3 flex flex-col gap-2 border-t border-line pt-3">
      {findings.map(({ severity, message, fix, ...place }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id, and never change
        <li key={at} className="text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <SeverityBadge severity={severity} />
            {findingPlace(place) !== "" && <code className="break-all">{visibleLine(findingPlace(place))}</code>}
          </p>
          <FindingText message={message} fix={fix} />
        </li>
      ))}
    </ul>
  );
}
