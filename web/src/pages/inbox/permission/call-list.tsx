import { Link } from "@tanstack/react-router";
import { Ago } from "../../../ui/figures.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { TaskLink } from "../party.tsx";

export interface ListedCall {
  runId: string;
  callId?: string | undefined;
  projectId?: string | undefined;
  taskId?: string | undefined;
  tool: string;
  /** The command, file or address. */
  subject: string;
  at: string;
}

/** Calls with what they did, when, and in which run. */
export function CallList({ calls }: { calls: readonly ListedCall[] }) {
  return (
    <ul className="divide-y divide-line text-sm">
      {calls.map(({ runId, callId, projectId, taskId, tool, subject, at }) => (
        <li
          key={`${runId} ${callId} ${at} ${subject}`}
          className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1.5"
        >
          <code className="min-w-0 flex-1 basis-56 text-xs whitespace-pre-wrap wrap-anywhere">
            <span className="text-faint">{visibleLine(tool)}</span> {visibleLine(subject)}
          </code>
          <span className="flex shrink-0 items-baseline gap-x-3 text-xs text-faint">
            {taskId !== undefined && projectId !== undefined && <TaskLink projectId={projectId} taskId={taskId} />}
            <Link to="/runs/$runId" params={{ runId }} className="text-accent underline">
              Run
            </Link>
            <Ago at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
