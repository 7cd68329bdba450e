import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { call } from "../../../api/client.ts";
import { failureOf } from "../../../api/failure.ts";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../../ui/dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { useSettled } from "../../../ui/hooks/use-settled.ts";
import { tell } from "../../../ui/toasts.tsx";
import type { TargetProject } from "../target-project.tsx";
import { SpawnForm } from "./spawn-form.tsx";
import { NO_ORDER, type Order, requestOf } from "./spawn-order.ts";
import { SpawnPreview } from "./spawn-preview.tsx";
import { usePreview } from "./use-preview.ts";

interface SpawnDialogProps {
  projectId: string;
  /** Without one, the person describes a new task. */
  taskId?: string | undefined;
  /** Lets the person choose another project, where there is no task yet. */
  target?: TargetProject;
  onClose: () => void;
}

/** An agent is started, after the person has seen with what. */
export function SpawnDialog({ projectId, taskId, target, onClose }: SpawnDialogProps) {
  const navigate = useNavigate();
  const [given, setOrder] = useState(NO_ORDER);
  const [isFollowing, setFollowing] = useState(true);
  const [error, setError] = useState<unknown>();
  const fitting = useFittingRoles(projectId, taskId, given);
  const usual = useUsualRole(projectId, taskId, fitting);
  const order = given.roleId === "" ? { ...given, roleId: usual } : given;
  const request = requestOf(order, taskId);
  const settled = useSettled(request);
  const preview = usePreview(projectId, settled);
  const start = useAct("spawnInProject", {
    onDone: (answer) => {
      if (!("sessionId" in answer)) return;
      onClose();
      if (isFollowing) void navigate({ to: "/runs/$runId", params: { runId: answer.sessionId } });
      else tell(`Started an agent on ${answer.taskId}.`, { text: "Open run", to: `/runs/${answer.sessionId}` });
    },
    onFailure: setError,
  });
  const begin = () => {
    setError(undefined);
    if (request !== undefined) start.mutate({ params: { id: projectId }, body: request });
  };
  return (
    <Dialog
      title={taskId === undefined ? "Start an agent" : `Start an agent on ${taskId}`}
      look="wide"
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
        className="flex flex-col gap-4"
      >
        <div className="grid gap-5 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <SpawnForm {...{ projectId, taskId, target, order, fitting }} onChange={setOrder} />
          <SpawnPreview {...{ projectId, taskId, error, request: settled, preview }} roleId={order.roleId} />
        </div>
        <DialogFoot>
          <div className="mr-auto">
            <CheckField
              label="Open run after starting"
              checked={isFollowing}
              onChange={(event) => setFollowing(event.target.checked)}
            />
          </div>
          {preview.error !== null && (
            <p id="why-not" className="line-clamp-2 min-w-0 basis-60 text-sm text-bad">
              {failureOf(preview.error).message}
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            busy={start.isPending}
            disabled={request === undefined || preview.error !== null}
            aria-describedby={preview.error === null ? undefined : "why-not"}
          >
            <Play size={14} aria-hidden />
            {start.isPending ? "Starting" : "Start"}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function useFittingRoles(projectId: string, taskId: string | undefined, { title, description }: Order): string[] {
  const text = useSettled(`${title} ${description}`.trim().replaceAll(/\s+/g, " ").slice(0, 5_000));
  const query = taskId === undefined ? { text, limit: 3 } : { project: projectId, task: taskId, limit: 3 };
  const { data } = useQuery({
    queryKey: ["roles", "fitting", query],
    queryFn: ({ signal }) => call("suggestRoles", { query, signal }),
    enabled: taskId !== undefined || text !== "",
    placeholderData: (before) => before,
  });
  return data?.suggestions.map(({ roleId }) => roleId) ?? [];
}

/** Whom the task is given to, else who fits it best, else the first of the team. */
function useUsualRole(projectId: string, taskId: string | undefined, fitting: readonly string[]): string {
  const task = useQuery({ ...queries.task(projectId, taskId ?? ""), enabled: taskId !== undefined });
  const team = useQuery(queries.assignments(projectId)).data?.assignments ?? [];
  const roles = useQuery(queries.roles()).data?.roles ?? [];
  if (taskId !== undefined && task.isPending) return "";
  const inTeam = fitting.find((id) => team.some(({ roleId }) => roleId === id));
  return task.data?.task.assignedRoleId ?? inTeam ?? fitting[0] ?? team[0]?.roleId ?? roles[0]?.id ?? "";
}
