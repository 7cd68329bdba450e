import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ProjectView } from "../../../../../src/contract/routes/project-routes.ts";
import { ofProject } from "../../../api/parting.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { useRemoval } from "../../../api/use-removal.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";

/** What is not easily taken back. */
export function DangerZone({ project }: { project: ProjectView }) {
  const [asked, setAsked] = useState<"archive" | "purge">();
  const navigate = useNavigate();
  const purge = useRemoval("deleteProject", {
    done: ({ trash }) => `Moved to ${trash}.`,
    concerns: ofProject(project.id),
    leave: () => void navigate({ to: "/projects" }),
  });
  const close = () => setAsked(undefined);
  return (
    <section aria-label="Danger zone" className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">Danger zone</h2>
      <div className="rounded-lg border border-bad bg-card">
        {project.status !== "archived" && (
          <Danger
            title="Archive"
            means="Makes the project read-only. All files are kept, but you can't reopen it."
            action="Archive"
            onAct={() => setAsked("archive")}
          />
        )}
        <Danger
          title="Purge"
          means="Moves the project's board, memory, artifacts and runs to the workspace trash. Your code in the working folder isn't touched."
          action="Purge"
          onAct={() => setAsked("purge")}
        />
      </div>
      {asked === "archive" && <Archive project={project} onClose={close} />}
      {asked === "purge" && (
        <Confirm
          title={`Purge ${project.name}?`}
          action="Purge"
          typed={project.id}
          busy={purge.isPending}
          error={purge.error}
          onConfirm={() => purge.mutate({ params: { id: project.id }, query: { purge: "true" } })}
          onClose={close}
        >
          <p>Stops running agents and moves the project's data to the workspace trash.</p>
        </Confirm>
      )}
    </section>
  );
}

interface DangerProps {
  title: string;
  means: string;
  action: string;
  onAct: () => void;
}

function Danger({ title, means, action, onAct }: DangerProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-sm font-medium">{title}</h3>
        <p className="text-sm text-faint">{means}</p>
      </div>
      <Button kind="danger" onClick={onAct}>
        {action}
      </Button>
    </div>
  );
}

function Archive({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const archive = useAct("deleteProject", { done: "Archived.", onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title={`Archive ${project.name}?`}
      action="Archive"
      typed={project.id}
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate({ params: { id: project.id } })}
      onClose={onClose}
    >
      <p>Stops running agents. The project stays readable but can't be reopened.</p>
    </Confirm>
  );
}
