import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { ReviewComment } from "../../../../../src/contract/runs/review-comment.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../../src/contract/runs/run-status.ts";
import { queries } from "../../../api/queries.ts";
import { visibleLine, visibleText } from "../../../ui/text/visible-text.ts";

/** The feedback that this run was started with. */
export function YourFeedback({ run }: { run: Run }) {
  const { data } = useQuery({ ...queries.plan(run.id), enabled: run.parentRunId === undefined });
  const continues = data?.plan.continues;
  if (continues === undefined) return null;
  return (
    <Remark title="Your feedback" text={continues.feedback} comments={continues.comments} run={run}>
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
  const answering = useQuery({ ...queries.run(next ?? ""), enabled: next !== undefined }).data?.run;
  const { feedback, comments } = data?.plan.continues ?? {};
  if (next === undefined || feedback === undefined) return null;
  return (
    <Remark title="Changes requested" text={feedback} comments={comments} run={answering}>
      <Link to="/runs/$runId" params={{ runId: next }} className="underline">
        Next run
      </Link>
    </Remark>
  );
}

interface RemarkProps {
  title: string;
  text: string;
  comments?: readonly ReviewComment[] | undefined;
  /** That answers the comments. */
  run: Run | undefined;
  children: ReactNode;
}

/** Each comment on a line, with the answer of the run below it. */
function Threads({ comments, run }: { comments: readonly ReviewComment[]; run: Run | undefined }) {
  const answers = new Map(run?.result?.answers?.map(({ comment, answer }) => [comment, answer]));
  const isEnded = run !== undefined && isOver(run);
  return (
    <ul aria-label="Comments" className="mt-2 flex flex-col gap-2 border-t border-line pt-2">
      {comments.map(({ id, file, line, text }) => (
        <li key={id}>
          <code className="text-xs break-all text-faint">{visibleLine(`${file}:${line}`)}</code>
          <p className="break-words whitespace-pre-wrap">{visibleText(text)}</p>
          {(isEnded || answers.has(id)) && (
            <p className="mt-0.5 border-l-2 border-line pl-2 break-words whitespace-pre-wrap">
              <span className="text-faint">{answers.has(id) ? "Answer: " : "Not answered"}</span>
              {visibleText(answers.get(id) ?? "")}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Remark({ title, text, comments = [], run, children }: RemarkProps) {
  return (
    <section aria-label={title} className="flex gap-3 rounded-lg border border-line bg-accent-soft px-4 py-3 text-sm">
      <Undo2 size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap items-baseline gap-x-3 font-medium">
          {title}
          <span className="text-xs font-normal">{children}</span>
        </h2>
        <p className="mt-0.5 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">{visibleText(text)}</p>
        {comments.length > 0 && <Threads comments={comments} run={run} />}
      </div>
    </section>
  );
}
