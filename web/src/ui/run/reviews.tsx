import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquareQuote } from "lucide-react";
import { useMemo } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { VERDICT_WORDS } from "../../../../src/contract/words/review-words.ts";
import { queries } from "../../api/queries.ts";
import { Ago, plural } from "../figures.tsx";
import { RoleName } from "./role-name.tsx";

const MOST_RUNS = 200;

interface Of {
  projectId: string;
  taskId: string;
  /** On the result of this run; else on any of the task. */
  runId?: string;
}

/** The reviews of a result, the newest first. Those that did not come to an end have nothing to say. */
export function useReviews({ projectId, taskId, runId }: Of): Run[] {
  const { data } = useQuery(queries.runs({ project: projectId, task: taskId, limit: MOST_RUNS }));
  return useMemo(
    () =>
      (data?.runs ?? []).filter(
        ({ purpose, reviewOf, status }) =>
          purpose === "review" &&
          (runId === undefined || reviewOf === runId) &&
          status !== "failed" &&
          status !== "cancelled",
      ),
    [data, runId],
  );
}

/** Who comes to which verdict, in one line that leads to the whole. */
export function ReviewLine({ run }: { run: Run }) {
  return (
    <p className="flex min-w-0 items-baseline gap-x-2 text-sm">
      <MessageSquareQuote size={14} aria-hidden className="shrink-0 self-center text-accent" />
      <Link to="/runs/$runId" params={{ runId: run.id }} className="min-w-0 hover:underline">
        <strong className="font-medium">
          <RoleName id={run.roleId} />
        </strong>
        : {verdictText(run)}
      </Link>
      <Ago at={run.endedAt ?? run.createdAt} className="shrink-0 text-xs text-faint" />
    </p>
  );
}

function verdictText(run: Run): string {
  if (!isOver(run)) return "Reviewing";
  const review = run.result?.review;
  if (review === undefined) return "Reviewed";
  const { verdict, findings } = review;
  return `${VERDICT_WORDS[verdict]}${findings.length === 0 ? "" : `, ${plural(findings.length, "finding")}`}`;
}
