import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../../src/contract/runs/run-status.ts";
import { VERDICT_WORDS } from "../../../../../src/contract/words/review-words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { useMedia, WIDE } from "../../../ui/hooks/use-media.ts";
import { Section } from "../../../ui/page.tsx";
import { outcomeWords, verdictTones } from "../../../ui/run/status.tsx";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { beginningOf } from "../../../ui/text/visible-text.ts";
import { Findings } from "./findings.tsx";
import { hallSaw } from "./hall-saw.ts";
import { ReportedCriteria } from "./reported-criteria-list.tsx";
import { UnmetBadge, useUnmet } from "./unmet-badge.tsx";

const SHORT = { lines: 4, longest: 500 };
const SHORTER = { lines: 1, longest: 120 };

/** What the agent says came of it, and what the hall saw of that; of a long report the beginning. */
export function RunAnswer({ run, isShort = false }: { run: Run; isShort?: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const short = useMedia(WIDE) ? SHORT : SHORTER;
  const unmet = useUnmet(run);
  const { output = "", outcome } = run.result ?? {};
  if (!isOver(run) || output.trim() === "") return null;
  const cut = isWhole ? undefined : beginningOf(output.trim(), isShort ? short : undefined);
  const saw = hallSaw(run);
  const isDoubtful = saw?.contradicts || unmet !== undefined;
  const told = run.purpose === "work" ? outcome : undefined;
  const review = run.result?.review;
  return (
    <Section
      title={titleOf(run)}
      actions={
        review === undefined ? (
          told !== undefined && (
            <span className="flex flex-wrap justify-end gap-1.5">
              {told === "full" && unmet !== undefined && <UnmetBadge unmet={unmet} />}
              <Badge tone={isDoubtful ? "neutral" : told === "full" ? "good" : "warn"}>{outcomeWords[told]}</Badge>
            </span>
          )
        ) : (
          <Badge tone={verdictTones[review.verdict]}>{VERDICT_WORDS[review.verdict]}</Badge>
        )
      }
    >
      <div className="rounded-lg border border-line bg-card px-4 py-3 text-sm">
        {saw !== undefined && (
          <p
            className={`-mx-4 -mt-3 mb-2 flex items-center gap-2 rounded-t-lg px-4 py-1.5 ${saw.contradicts ? "bg-warn-soft font-medium text-warn" : "border-b border-line text-faint"}`}
          >
            {saw.contradicts && <TriangleAlert size={14} aria-hidden className="shrink-0" />}
            {saw.words}
          </p>
        )}
        <Markdown text={cut?.text ?? output} />
        {cut !== undefined && (
          <Button kind="ghost" size="small" className="mt-1 -ml-2" onClick={() => setWhole(true)}>
            Show all
          </Button>
        )}
        {review !== undefined && <Findings findings={review.findings} />}
        <ReportedCriteria run={run} />
      </div>
    </Section>
  );
}

function titleOf({ purpose, result }: Run): string {
  if (purpose === "review") return "Review report";
  return result?.outcome === undefined ? "Last message" : "Report";
}
