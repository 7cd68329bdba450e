import { ChevronRight, Wrench } from "lucide-react";
import type { ChannelMessage } from "../../../../src/contract/documents/channel.ts";
import { activityWords, callActivity } from "../../../../src/contract/words/activity-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { plural } from "../../ui/figures.tsx";
import { capital } from "../../ui/text/capital.ts";
import { visibleLine } from "../../ui/text/visible-text.ts";

type Step = NonNullable<ChannelMessage["steps"]>[number];

/** What the agent did before it answered, folded into one line. */
export function TurnSteps({ steps }: { steps: readonly Step[] }) {
  const calls = steps.filter(({ is }) => is === "called").length;
  return (
    <details className="group mb-1 text-sm text-faint">
      <summary className="flex min-h-6 w-fit list-none items-center gap-1.5 rounded hover:text-ink">
        <ChevronRight size={14} aria-hidden className="shrink-0 transition-transform group-open:rotate-90" />
        <Wrench size={13} aria-hidden className="shrink-0" />
        Used {plural(calls, "tool")}
      </summary>
      <ol className="my-1 ml-1.5 flex flex-col gap-1 border-l-2 border-line pl-3">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
          <li key={at} className="min-w-0 break-words">
            <StepText step={step} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function StepText({ step }: { step: Step }) {
  if (step.is === "said") return <span className="whitespace-pre-wrap">{visibleLine(step.text)}</span>;
  const { tool, about, failed } = step;
  const words = activityWords(callActivity(tool, "{}"));
  return (
    <>
      <span className="text-ink">{capital(visibleLine(words))}</span>
      {about !== "" && <code> {visibleLine(about)}</code>} {failed && <Badge tone="bad">failed</Badge>}
    </>
  );
}
