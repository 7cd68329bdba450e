import { useLocation } from "@tanstack/react-router";
import { Ellipsis, Play, Plus, Workflow } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { OpenWork } from "../../../../src/contract/routes/hall-routes.ts";
import type { ProjectView } from "../../../../src/contract/routes/project-routes.ts";
import { useAct } from "../../api/use-act.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Menu } from "../../ui/menu.tsx";
import { taskTotal } from "../projects/task-bar.tsx";
import { movesFrom, type ProjectMove } from "./project-moves.ts";

/** Moves a project to another status. Archiving goes through the steps between by itself, which only its own request does. */
function useMoveProject(id: string, done: string, onDone?: () => void) {
  const settle = onDone === undefined ? {} : { onDone };
  const move = useAct("moveProject", { ...settle, done: ({ open }) => withOpen(done, open ?? []) });
  const archive = useAct("deleteProject", { ...settle, done });
  return {
    isPending: move.isPending || archive.isPending,
    go: (to: ProjectMove["to"]) =>
      to === "archived" ? archive.mutate({ params: { id } }) : move.mutate({ params: { id }, body: { status: to } }),
  };
}

const MOST_OPEN = 3;

/** It is shown, and prevents nothing. */
function withOpen(done: string, open: readonly OpenWork[]): string {
  if (open.length === 0) return done;
  const more = open.length > MOST_OPEN ? ` And ${open.length - MOST_OPEN} more.` : "";
  const shown = open.slice(0, MOST_OPEN).map(({ text }) => text);
  return `${done} Still open: ${shown.join(" ")}${more}`;
}

export function ProjectActions({ project }: { project: ProjectView }) {
  const { pathname } = useLocation();
  // The board has these buttons beside its filters, and the overview where it says what to begin with.
  const isElsewhere = pathname.endsWith("/board") || (isFresh(project) && pathname === `/projects/${project.id}`);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {project.status === "active" && !isElsewhere && <WorkButtons id={project.id} />}
      <MoveMenu project={project} />
    </div>
  );
}

/** Nothing was given to do in it yet. */
export function isFresh({ taskCount }: ProjectView): boolean {
  return taskTotal(taskCount) === 0;
}

export function WorkButtons({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <>
      <Button onClick={() => showPanel("start-team", { projectId: id })}>
        <Workflow size={14} aria-hidden />
        Start a team
      </Button>
      <Button onClick={() => showPanel("start-agent", { projectId: id })} title="Press s">
        <Play size={14} aria-hidden />
        Start an agent
      </Button>
      {children}
      <Button kind="primary" onClick={() => showPanel("new-task", { projectId: id })} title="Press c">
        <Plus size={16} aria-hidden />
        New task
      </Button>
    </>
  );
}

function MoveMenu({ project }: { project: ProjectView }) {
  const [asked, setAsked] = useState<ProjectMove>();
  const moves = movesFrom(project.status);
  if (moves.length === 0) return null;
  return (
    <>
      <Menu
        label="Project actions"
        trigger={
          <IconButton label="Actions" kind="plain">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
        items={moves.map((move) => ({
          label: move.label,
          detail: move.means,
          danger: move.to === "archived",
          onSelect: () => setAsked(move),
        }))}
      />
      {asked !== undefined && <AskedMove project={project} move={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function AskedMove({ project, move, onClose }: { project: ProjectView; move: ProjectMove; onClose: () => void }) {
  const { go, isPending } = useMoveProject(project.id, move.done, onClose);
  return (
    <Confirm
      title={`${move.label} ${project.name}?`}
      action={move.label}
      danger={move.isGrave ?? false}
      busy={isPending}
      onConfirm={() => go(move.to)}
      onClose={onClose}
    >
      <p>{move.means}</p>
    </Confirm>
  );
}

/** Says why a project is at rest, and offers the way back. */
export function AtRest({ project }: { project: ProjectView }) {
  const back = movesFrom(project.status).find(({ to }) => to === "active");
  const { go, isPending } = useMoveProject(project.id, back?.done ?? "");
  if (project.status === "active") return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm"
    >
      <p className="min-w-0 flex-1 basis-64">{whyAtRest(project)}</p>
      {back !== undefined && (
        <Button size="small" busy={isPending} onClick={() => go("active")}>
          {back.label}
        </Button>
      )}
    </div>
  );
}

function whyAtRest({ status, suspendedWhy }: ProjectView): string {
  if (status === "suspended") return suspendedWhy ?? "Suspended. No runs start until you resume it.";
  if (status === "completed") return "Completed. No runs start unless you reopen it.";
  return "Archived. Everything is kept, read-only.";
}
