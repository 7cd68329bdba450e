import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { useState } from "react";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { showPanel, usePanelTarget } from "../../../shell/panels.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../../ui/dialog.tsx";
import { KeepsTyping } from "../../../ui/later.tsx";
import { Loaded, Loading, Trouble } from "../../../ui/states.tsx";
import { keepLastProject } from "../../task/last-project.ts";
import { NoProjectYet, type TargetProject, useTargetProject } from "../../task/target-project.tsx";
import { TeamForm } from "./team-form.tsx";
import { goalOf, NO_ORDER, requestOf } from "./team-order.ts";

const close = () => showPanel(undefined);

/** From anywhere: on a task, or on a goal that the person describes. */
export default function StartTeam() {
  const { projectId, taskId } = usePanelTarget();
  const target = useTargetProject(projectId);
  if (target.isNone) return <NoProjectYet title="Start a team" />;
  if (target.id === undefined) return <KeepsTyping onClose={close} />;
  if (taskId !== undefined) return <OnTask projectId={target.id} taskId={taskId} target={target} />;
  return <Ordering projectId={target.id} target={target} goal="" />;
}

function OnTask({ projectId, taskId, target }: { projectId: string; taskId: string; target: TargetProject }) {
  const found = useQuery(queries.task(projectId, taskId));
  if (found.data !== undefined) return <Ordering {...{ projectId, taskId, target }} goal={goalOf(found.data.task)} />;
  return (
    <Dialog title={`Start a team on ${taskId}`} onClose={close}>
      <Loaded query={found} loading={<Loading lines={3} />}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

interface OrderingProps {
  projectId: string;
  taskId?: string;
  target: TargetProject;
  goal: string;
}

function Ordering({ projectId, taskId, target, goal }: OrderingProps) {
  const navigate = useNavigate();
  const [order, setOrder] = useState({ ...NO_ORDER, goal });
  const request = requestOf(order, taskId);
  const create = useAct("createTeam", {
    onDone: ({ team }) => {
      keepLastProject(team.projectId);
      close();
      void navigate({ to: "/teams/$teamId", params: { teamId: team.id } });
    },
    onFailure: shownInline,
  });
  return (
    <Dialog title={taskId === undefined ? "Start a team" : `Start a team on ${taskId}`} onClose={close}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (request !== undefined && !create.isPending) create.mutate({ params: { id: projectId }, body: request });
        }}
      >
        <TeamForm {...{ taskId, target, order }} onChange={setOrder} />
        {create.error !== null && <Trouble error={create.error} />}
        <DialogFoot>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabled={request === undefined}>
            <Workflow size={14} aria-hidden />
            {create.isPending ? "Starting" : "Start team"}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
