import { useState } from "react";
import type { Run } from "../../../../src/contract/run.ts";
import { isOver } from "../../../../src/contract/run-status.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Section } from "../../ui/page.tsx";
import { beginningOf } from "./visible-text.ts";

type Outcome = NonNullable<NonNullable<Run["result"]>["outcome"]>;

const outcomes: Record<Outcome, { word: string; tone: Tone }> = {
  full: { word: "All of it done", tone: "good" },
  partial: { word: "Done in part", tone: "warn" },
  escalated: { word: "Handed up", tone: "warn" },
  skipped: { word: "Skipped", tone: "warn" },
};

/** What the agent says came of it; of a long report the beginning. */
export function RunAnswer({ run }: { run: Run }) {
  const [isWhole, setWhole] = useState(false);
  const { output = "", outcome } = run.result ?? {};
  if (!isOver(run) || output.trim() === "") return null;
  const cut = isWhole ? undefined : beginningOf(output);
  const told = outcome && run.opinion === undefined ? outcomes[outcome] : undefined;
  return (
    <Section title={titleOf(run)} actions={told !== undefined && <Badge tone={told.tone}>{told.word}</Badge>}>
      <div className="rounded-lg border border-line bg-card px-4 py-3 text-sm">
        <Markdown text={cut?.text ?? output} />
        {cut !== undefined && (
          <Button kind="ghost" size="small" className="mt-1 -ml-2" onClick={() => setWhole(true)}>
            Show all of it
          </Button>
        )}
      </div>
    </Section>
  );
}

function titleOf({ opinion, result }: Run): string {
  if (opinion !== undefined) return "Its opinion";
  return result?.outcome === undefined ? "What the agent said last" : "What the agent reports";
}
