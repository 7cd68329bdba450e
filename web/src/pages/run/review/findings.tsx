import type { ReviewFinding } from "../../../../../src/contract/runs/run-review.ts";
import { findingPlace } from "../../../../../src/contract/words/review-words.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { visibleLine, visibleText } from "../../../ui/text/visible-text.ts";

const tones: Record<ReviewFinding["severity"], Tone> = { critical: "bad", high: "bad", medium: "warn", low: "neutral" };

/** Each problem that a reviewer found, in its words, which are shown as plain text. */
export function Findings({ findings }: { findings: readonly ReviewFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul aria-label="Findings" className="mt-3 flex flex-col gap-2 border-t border-line pt-3">
      {findings.map(({ severity, message, suggestion, ...place }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id, and never change
        <li key={at} className="text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <Badge tone={tones[severity]}>{severity}</Badge>
            {findingPlace(place) !== "" && <code className="break-all">{visibleLine(findingPlace(place))}</code>}
          </p>
          <p className="mt-0.5 break-words whitespace-pre-wrap">{visibleText(message)}</p>
          {suggestion !== undefined && (
            <p className="break-words whitespace-pre-wrap text-faint">Suggestion: {visibleText(suggestion)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
