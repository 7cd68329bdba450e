import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Task } from "../../../../src/contract/documents/task.ts";
import { TASK_PRIORITIES, TASK_TYPES } from "../../../../src/contract/documents/task-status.ts";
import { Badge } from "../../ui/badge.tsx";
import { Ago } from "../../ui/figures.tsx";
import { lackingWords } from "../../ui/run/status.tsx";
import { useTaskTeams } from "../../ui/team/task-teams.ts";
import { TeamLink } from "../../ui/team/team-link.tsx";
import { capital } from "../../ui/text/capital.ts";
import { tellFailure } from "../../ui/toasts.tsx";
import { EditableText } from "./editable-text.tsx";
import { MoveMenu } from "./move-menu.tsx";
import { useSaveTask } from "./save-task.ts";
import { useRoleOptions } from "./spawn/use-role-options.tsx";

const wordsOf = (text: string) => [...new Set(text.split(",").map((word) => word.trim()))].filter(Boolean);
const idsOf = (text: string) => [...new Set(text.toUpperCase().split(/[\s,]+/))].filter(Boolean);

/** What a task is, in a word each; all of it can be changed here. */
export function TaskFacts({
  task,
  isMoving,
  onMoving,
}: {
  task: Task;
  isMoving: boolean;
  onMoving: (isMoving: boolean) => void;
}) {
  return (
    <dl className="grid grid-cols-[6.5rem_1fr] items-start gap-x-3 gap-y-1.5 text-sm">
      <Fact name="Status">
        <span className="flex flex-wrap items-center gap-2">
          <MoveMenu task={task} isOpen={isMoving} onOpenChange={onMoving} />
          {task.ready && <Badge tone="good">Ready</Badge>}
          {task.status === "failed" && lackingWords(task.outcome) !== undefined && (
            <Badge tone="warn">{lackingWords(task.outcome)}</Badge>
          )}
        </span>
      </Fact>
      <TeamFact task={task} />
      <Fact name="Priority">
        <Choice task={task} name="priority" options={[...TASK_PRIORITIES].reverse()} />
      </Fact>
      <Fact name="Type">
        <Choice task={task} name="type" options={TASK_TYPES} />
      </Fact>
      <Fact name="Role">
        <RoleChoice task={task} />
      </Fact>
      <Fact name="Labels">
        <EditableText
          task={task}
          label="Labels"
          hint="Comma-separated."
          read={({ labels }) => labels.join(", ")}
          write={(text) => ({ labels: wordsOf(text) })}
        >
          <Labels labels={task.labels} />
        </EditableText>
      </Fact>
      <Fact name="Initiative">
        <EditableText
          task={task}
          label="Initiative"
          hint="Such as better-checkout. Created if it doesn't exist."
          read={({ plan }) => plan ?? ""}
          write={(text) => ({ plan: text.trim() === "" ? null : text.trim() })}
        >
          {task.plan === undefined ? <None /> : <bdi>{task.plan}</bdi>}
        </EditableText>
      </Fact>
      <Fact name="Blocked by">
        <EditableText
          task={task}
          label="Blocked by"
          hint="Comma-separated task IDs, such as TASK-001."
          read={({ blockedBy }) => blockedBy.join(", ")}
          write={(text) => ({ blockedBy: idsOf(text) })}
        >
          <TaskLinks ids={task.blockedBy} open={new Set(task.waitingOn)} />
        </EditableText>
      </Fact>
      {task.blocks.length > 0 && (
        <Fact name="Blocks">
          <TaskLinks ids={task.blocks} />
        </Fact>
      )}
      <Fact name="Dates">
        <span className="flex min-h-7 flex-wrap items-center gap-x-3 text-faint">
          <span>
            Created <Ago at={task.createdAt} />
          </span>
          <span>
            Updated <Ago at={task.updatedAt} />
          </span>
          {task.completedAt !== undefined && (
            <span>
              Completed <Ago at={task.completedAt} />
            </span>
          )}
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="pt-1 text-faint">{name}</dt>
      <dd className="min-h-7 min-w-0">{children}</dd>
    </>
  );
}

/** The team that works on it, if one does or did. */
function TeamFact({ task: { projectId, id } }: { task: Task }) {
  const team = useTaskTeams(projectId).get(id);
  if (team === undefined) return null;
  return (
    <Fact name="Team">
      <span className="inline-block pt-1">
        <TeamLink team={team} />
      </span>
    </Fact>
  );
}

function None() {
  return <span className="inline-block pt-1 text-faint">None</span>;
}

function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return <None />;
  return (
    <span className="flex flex-wrap gap-1 pt-0.5">
      {labels.map((label) => (
        <span key={label} className="rounded-full border border-line px-2 py-0.5 text-xs">
          <bdi>{label}</bdi>
        </span>
      ))}
    </span>
  );
}

function TaskLinks({ ids, open }: { ids: readonly string[]; open?: ReadonlySet<string> }) {
  if (ids.length === 0) return <None />;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
      {ids.map((id) => (
        <Link
          key={id}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, task: id })}
          className="font-mono text-xs text-accent underline"
        >
          {id}
          {open !== undefined && (
            <span className={`ml-1 font-sans no-underline ${open.has(id) ? "text-warn" : "text-good"}`}>
              {open.has(id) ? "not finished" : "finished"}
            </span>
          )}
        </Link>
      ))}
    </span>
  );
}

const choice =
  "-ml-1.5 h-7 max-w-full rounded-md border border-transparent bg-transparent px-1 text-sm hover:border-edge hover:bg-card disabled:opacity-60";

function Choice({ task, name, options }: { task: Task; name: "priority" | "type"; options: readonly string[] }) {
  const save = useSaveTask(task.projectId, task.id);
  const [isSaving, setSaving] = useState(false);
  return (
    <select
      aria-label={name === "priority" ? "Priority" : "Type"}
      className={choice}
      value={task[name]}
      disabled={isSaving}
      onChange={({ target: { value } }) => {
        setSaving(true);
        save(() => ({ [name]: value }))
          .catch(tellFailure)
          .finally(() => setSaving(false));
      }}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {capital(option)}
        </option>
      ))}
    </select>
  );
}

function RoleChoice({ task }: { task: Task }) {
  const save = useSaveTask(task.projectId, task.id);
  const [isSaving, setSaving] = useState(false);
  const roles = useRoleOptions({ projectId: task.projectId, chosen: task.assignedRoleId });
  return (
    <select
      aria-label="Role"
      className={choice}
      value={task.assignedRoleId ?? ""}
      disabled={isSaving}
      onChange={({ target: { value } }) => {
        setSaving(true);
        save(() => ({ assignedRoleId: value === "" ? null : value }))
          .catch(tellFailure)
          .finally(() => setSaving(false));
      }}
    >
      <option value="">Unassigned</option>
      {roles}
    </select>
  );
}
