import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunPlan } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { moneyText } from "../../../ui/figures.tsx";
import { taskWords } from "../../../ui/run/status.tsx";

interface SpawnWarningsProps {
  projectId: string;
  taskId: string | undefined;
  roleId: string;
  /** Absent while it is not known. */
  plan: RunPlan | undefined;
}

/** What does not keep an agent from being started, and is better known before. */
export function SpawnWarnings({ projectId, taskId, roleId, plan }: SpawnWarningsProps) {
  const team = useQuery(queries.assignments(projectId)).data?.assignments;
  const used = useQuery(queries.budget()).data?.scopes.find(
    ({ scope, projectId: of, usd }) =>
      (scope === "day" || scope === "total" || of === projectId) &&
      scope !== "run" &&
      usd.left !== null &&
      usd.left <= 0,
  );
  const isInTeam = team === undefined || roleId === "" || team.some((entry) => entry.roleId === roleId);
  return (
    <>
      {taskId !== undefined && plan !== undefined && <DoneAlready projectId={projectId} taskId={taskId} plan={plan} />}
      {!isInTeam && <NotInTeam projectId={projectId} roleId={roleId} />}
      {used !== undefined && (
        <p className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
          The {used.scope.includes("day") ? "daily" : "lifetime"} budget is used up (
          {moneyText(used.usd.spent, used.assumedUsd === 0)} of {moneyText(used.usd.limit ?? 0)}). The agent would wait
          at its first paid call.{" "}
          <Link to="/costs" className="text-accent underline">
            Edit limits
          </Link>
        </p>
      )}
    </>
  );
}

/** What comes of a task that has a result already. */
function DoneAlready({ projectId, taskId, plan }: { projectId: string; taskId: string; plan: RunPlan }) {
  const status = useQuery(queries.task(projectId, taskId)).data?.task.status;
  if (status !== "done" && status !== "review") return null;
  const isReview = plan.purpose === "review";
  return (
    <p className={`rounded-lg border border-line px-3 py-2 text-sm ${isReview ? "bg-info-soft" : "bg-warn-soft"}`}>
      The task is {taskWords[status].toLowerCase()}. {isReview ? reviewWords[status] : againWords[status]}
    </p>
  );
}

const reviewWords = {
  review: "This run reviews the result and reports a verdict and findings. The decision stays with you.",
  done: "This run reviews the result and reports a verdict and findings. The task stays done.",
};

const againWords = {
  review:
    "This run starts the task over and supersedes the result in review. To get the result reviewed, set Purpose to “Review the result”; to improve it, request changes.",
  done: "This run starts the task over.",
};

function NotInTeam({ projectId, roleId }: { projectId: string; roleId: string }) {
  const assign = useAct("createAssignment", { done: "Added to the team." });
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-info-soft px-3 py-2 text-sm">
      <p className="min-w-0 flex-1 basis-52">This role isn't on the project's team. You can start it anyway.</p>
      <Button
        size="small"
        busy={assign.isPending}
        onClick={() => assign.mutate({ params: { id: projectId }, body: { roleId } })}
      >
        Add to team
      </Button>
    </div>
  );
}
