import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ProjectView } from "../../../../src/contract/project-routes.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";

/** What is not easily taken back. */
export function DangerZone({ project }: { project: ProjectView }) {
  const [asked, setAsked] = useState<"archive" | "purge">();
  const close = () => setAsked(undefined);
  return (
    <section aria-label="Danger zone" className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">Danger zone</h2>
      <div className="rounded-lg border border-bad bg-card">
        {project.status !== "archived" && (
          <Danger
            title="Archive"
            means="Nothing is started any more, and it cannot be reopened. Every file is kept."
            action="Archive"
            onAct={() => setAsked("archive")}
          />
        )}
        <Danger
          title="Purge"
          means="The project's folder in the workspace goes to the trash: board, memory, artifacts, runs. The working folder with your code is not touched."
          action="Purge"
          onAct={() => setAsked("purge")}
        />
      </div>
      {asked !== undefined && <End project={project} purge={asked === "purge"} onClose={close} />}
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

const LEAVING_MS = 1_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function End({ project, purge, onClose }: { project: ProjectView; purge: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const end = useAct("deleteProject", {
    done: ({ trash }) => (trash === undefined ? "Archived." : `Moved to ${trash}.`),
    onDone: onClose,
    ...(purge ? {} : { onFailure: shownInline }),
  });
  const confirm = async () => {
    // First away from pages of what will not be there any more; a way that another one overtakes is not waited for.
    if (purge) await Promise.race([navigate({ to: "/projects" }), pause(LEAVING_MS)]);
    end.mutate({ params: { id: project.id }, query: purge ? { purge: "true" } : {} });
  };
  return (
    <Confirm
      title={purge ? `Purge ${project.name}?` : `Archive ${project.name}?`}
      action={purge ? "Purge" : "Archive"}
      typed={project.id}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {purge
          ? "Agents at work on it are stopped, and its folder goes to the trash of the workspace."
          : "Agents at work on it are stopped. It stays readable, and cannot be reopened."}
      </p>
    </Confirm>
  );
}
