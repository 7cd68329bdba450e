import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ellipsis, Plus } from "lucide-react";
import { useState } from "react";
import type { Assignment } from "../../../../../src/contract/documents/project.ts";
import type { Role } from "../../../../../src/contract/documents/role.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";
import { AssignDialog, OverrideDialog } from "./assignment-dialogs.tsx";

/** Who works on the project, and what is different for them here. */
export default function TeamTab() {
  const id = useProjectId();
  const [isAssigning, setAssigning] = useState(false);
  const team = useQuery(queries.assignments(id));
  const assign = (
    <Button kind="primary" size="small" onClick={() => setAssigning(true)}>
      <Plus size={14} aria-hidden />
      Add role
    </Button>
  );
  return (
    <div className="flex flex-col gap-3">
      <Loaded query={team}>
        {({ assignments }) =>
          assignments.length === 0 ? (
            <Empty title="No roles in this project yet." action={assign}>
              Add a role to have it work on this project's tasks.
            </Empty>
          ) : (
            <>
              <div className="flex flex-wrap justify-between gap-2">
                <p className="text-sm text-faint">Roles that work on this project's tasks.</p>
                {assign}
              </div>
              <ul aria-label="Roles" className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
                {assignments.map((assignment) => (
                  <Member key={assignment.id} assignment={assignment} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {isAssigning && (
        <AssignDialog
          projectId={id}
          taken={(team.data?.assignments ?? []).map(({ roleId }) => roleId)}
          onClose={() => setAssigning(false)}
        />
      )}
    </div>
  );
}

function Member({ assignment }: { assignment: Assignment }) {
  const { data } = useQuery(queries.roles());
  const role = data?.roles.find(({ id }) => id === assignment.roleId);
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-card p-3">
      <div className="flex items-start gap-2">
        <span aria-hidden className="text-xl leading-none">
          {role?.emoji ?? "·"}
        </span>
        <div className="min-w-0 flex-1">
          <Link
            data-row
            to="/roles/$roleId"
            params={{ roleId: assignment.roleId }}
            className="font-medium hover:underline"
          >
            <bdi>{role?.name ?? assignment.roleId}</bdi>
          </Link>
          <p className="line-clamp-2 text-xs text-faint">{role?.description}</p>
        </div>
        <MemberMenu assignment={assignment} name={role?.name ?? assignment.roleId} />
      </div>
      <div className="flex flex-wrap gap-1.5">
        {assignment.status === "paused" && <Badge tone="warn">Paused</Badge>}
        <Badge
          title={
            assignment.mode === "auto"
              ? "Guildhall can start it automatically"
              : "Runs only when you or an agent starts it"
          }
        >
          {assignment.mode === "auto" ? "Automatic" : "On demand"}
        </Badge>
        <ModelBadge assignment={assignment} role={role} />
      </div>
    </li>
  );
}

function ModelBadge({ assignment, role }: { assignment: Assignment; role: Role | undefined }) {
  const own = assignment.modelConfig?.model;
  if (own !== undefined)
    return (
      <Badge tone="accent" title="Set for this project">
        {own} here
      </Badge>
    );
  const model = role?.modelConfig.model;
  return model === undefined ? null : <Badge>{model === "default" ? "Default model" : model}</Badge>;
}

function MemberMenu({ assignment, name }: { assignment: Assignment; name: string }) {
  const [doing, setDoing] = useState<"override" | "leave">();
  const update = useAct("updateAssignment", { done: "Saved." });
  const params = { id: assignment.projectId, assignmentId: assignment.id };
  const isPaused = assignment.status === "paused";
  const isAuto = assignment.mode === "auto";
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        trigger={
          <IconButton label={`Actions for ${name}`} className="-my-1 -mr-1">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
        items={[
          {
            label: isPaused ? "Resume" : "Pause",
            detail: isPaused ? "It can get tasks again." : "It gets no new tasks in this project.",
            onSelect: () => update.mutate({ params, body: { status: isPaused ? "active" : "paused" } }),
          },
          {
            label: isAuto ? "Run on demand only" : "Start automatically",
            detail: isAuto ? "It runs only when you or an agent starts it." : "Guildhall can start it without asking.",
            onSelect: () => update.mutate({ params, body: { mode: isAuto ? "on-demand" : "auto" } }),
          },
          { label: "Override model and tools", onSelect: () => setDoing("override") },
          { label: "Remove from team", danger: true, onSelect: () => setDoing("leave") },
        ]}
      />
      {doing === "override" && (
        <OverrideDialog assignment={assignment} name={name} onClose={() => setDoing(undefined)} />
      )}
      {doing === "leave" && <Leave assignment={assignment} name={name} onClose={() => setDoing(undefined)} />}
    </>
  );
}

function Leave({ assignment, name, onClose }: { assignment: Assignment; name: string; onClose: () => void }) {
  const leave = useAct("deleteAssignment", {
    done: `Removed ${name} from the team.`,
    onDone: onClose,
    onFailure: shownInline,
  });
  return (
    <Confirm
      title={`Remove ${name} from the team?`}
      action="Remove"
      busy={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate({ params: { id: assignment.projectId, assignmentId: assignment.id } })}
      onClose={onClose}
    >
      <p>It gets no more tasks in this project. The role and its past runs are kept, and you can add it again.</p>
    </Confirm>
  );
}
