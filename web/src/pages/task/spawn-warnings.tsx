import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { moneyText } from "../../ui/figures.tsx";
import { taskWords } from "../../ui/status.tsx";

interface SpawnWarningsProps {
  projectId: string;
  taskId: string | undefined;
  roleId: string;
}

/** What does not keep an agent from being started, and is better known before. */
export function SpawnWarnings({ projectId, taskId, roleId }: SpawnWarningsProps) {
  const team = useQuery(queries.team(projectId)).data?.assignments;
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
      {taskId !== undefined && <TakenUpAgain projectId={projectId} taskId={taskId} />}
      {!isInTeam && <NotInTeam projectId={projectId} roleId={roleId} />}
      {used !== undefined && (
        <p className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
          The budget {used.scope.includes("day") ? "of today" : "in all"} is used up ({moneyText(used.usd.spent)} of{" "}
          {moneyText(used.usd.limit ?? 0)}). The agent would wait with its first call that costs something.{" "}
          <Link to="/costs" className="text-accent underline">
            Change the budget
          </Link>
        </p>
      )}
    </>
  );
}

function TakenUpAgain({ projectId, taskId }: { projectId: string; taskId: string }) {
  const status = useQuery(queries.task(projectId, taskId)).data?.task.status;
  if (status !== "done" && status !== "cancelled" && status !== "review") return null;
  return (
    <p className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      The task is {taskWords[status].toLowerCase()}. Starting an agent takes it up again.
    </p>
  );
}

function NotInTeam({ projectId, roleId }: { projectId: string; roleId: string }) {
  const assign = useAct("createAssignment", { done: "It is in the team now." });
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-info-soft px-3 py-2 text-sm">
      <p className="min-w-0 flex-1 basis-52">This role is not in the project's team. It can work here all the same.</p>
      <Button
        size="small"
        busy={assign.isPending}
        onClick={() => assign.mutate({ params: { id: projectId }, body: { roleId } })}
      >
        Assign this role
      </Button>
    </div>
  );
}
