import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { visibleText } from "../../../ui/text/visible-text.ts";

/** The feedback that this run was started with. */
export function YourFeedback({ run }: { run: Run }) {
  const { data } = useQuery({ ...queries.plan(run.id), enabled: run.parentRunId === undefined });
  const continues = data?.plan.continues;
  if (continues === undefined) return null;
  return (
    <Remark title="Your feedback" text={continues.feedback}>
      <Link to="/runs/$runId" params={{ runId: continues.runId }} className="underline">
        Previous run
      </Link>
    </Remark>
  );
}

/** The changes that were requested, and the run that makes them. */
export function RequestedChanges({ run }: { run: Run }) {
  const standing = run.delivery;
  const next = standing?.state === "rejected" ? standing.next : undefined;
  const { data } = useQuery({ ...queries.plan(next ?? ""), enabled: next !== undefined });
  const feedback = data?.plan.continues?.feedback;
  if (next === undefined || feedback === undefined) return null;
  return (
    <Remark title="Changes requested" text={feedback}>
      <Link to="/runs/$runId" params={{ runId: next }} className="underline">
        Next run
      </Link>
    </Remark>
  );
}

function Remark({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex gap-3 rounded-lg border border-line bg-accent-soft px-4 py-3 text-sm">
      <Undo2 size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap items-baseline gap-x-3 font-medium">
          {title}
          <span className="text-xs font-normal">{children}</span>
        </h2>
        <p className="mt-0.5 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">{visibleText(text)}</p>
      </div>
    </section>
  );
}
