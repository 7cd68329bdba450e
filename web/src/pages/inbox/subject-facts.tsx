import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { queries } from "../../api/queries.ts";
import { Money, plural } from "../../ui/figures.tsx";
import { RoleName } from "../../ui/run/run-row.tsx";
import { RunBadge } from "../../ui/run/status.tsx";
import { TaskLink } from "./party.tsx";

const ABOUT_RUNS = new Set(["review", "failed", "budget", "provider"]);

/** Of an entry about a run: what it did, changed and cost. */
export function SubjectFacts({ escalation: { subject } }: { escalation: Escalation }) {
  if (subject === undefined || !ABOUT_RUNS.has(subject.kind)) return null;
  return <RunFacts runId={subject.id} />;
}

function RunFacts({ runId }: { runId: string }) {
  const found = useQuery(queries.run(runId)).data?.run;
  if (found === undefined) return null;
  const run = runLine(found);
  const { files, additions = 0, deletions = 0 } = run.delivery ?? {};
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
      <RunBadge run={run} />
      <RoleName id={run.roleId} />
      <TaskLink projectId={run.projectId} taskId={run.taskId} />
      {files !== undefined && (
        <Link to="/runs/$runId" params={{ runId }} search={{ view: "changes" }} className="text-accent underline">
          {plural(files, "changed file")} <span className="text-good">+{additions}</span>{" "}
          <span className="text-bad">−{deletions}</span>
        </Link>
      )}
      <span className="text-faint">
        Cost so far <Money usd={run.costUsd} known={run.costKnown} />
      </span>
    </p>
  );
}
