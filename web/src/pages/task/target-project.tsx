import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { lastProject } from "./last-project.ts";

export interface TargetProject {
  /** Undefined: not known yet. */
  id: string | undefined;
  /** The active ones. */
  projects: readonly { id: string; name: string }[];
  /** There is no active project at all. */
  isNone: boolean;
  choose: (id: string) => void;
  /** For a text field: up and down go from project to project. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The project that something new belongs to: as given, that of the page, the one used last, or any. */
export function useTargetProject(given: string | undefined): TargetProject {
  const here = useProjectOfPage();
  const { data } = useQuery(queries.projects());
  const [chosen, choose] = useState<string>();
  const projects = data?.projects.filter(({ status }) => status === "active") ?? [];
  const last = lastProject();
  const known = data === undefined ? last : (projects.find(({ id }) => id === last) ?? projects[0])?.id;
  const id = chosen ?? given ?? here ?? known;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || projects.length < 2) return;
    event.preventDefault();
    const at = projects.findIndex((project) => project.id === id);
    choose(projects.at((at + by) % projects.length)?.id);
  };
  return { id, projects, isNone: data !== undefined && id === undefined, choose, onKeyDown };
}

/** On the page of a run it is the run's. */
function useProjectOfPage(): string | undefined {
  const { id, runId = "" } = useParams({ strict: false });
  const run = useQuery({ ...queries.run(runId), enabled: runId !== "" }).data?.run;
  return id ?? run?.projectId;
}

/** Where `onKeyDown` of the target is given to the field of the title. */
export const ARROWS_HINT = "Press ↑ or ↓ in the title field to change it.";

interface ChoiceProps {
  target: TargetProject;
  hint?: string | undefined;
}

export function ProjectChoice({ target: { id = "", projects, choose }, hint }: ChoiceProps) {
  if (projects.length < 2) return null;
  const isListed = projects.some((project) => project.id === id);
  return (
    <SelectField label="Project" value={id} onChange={({ target }) => choose(target.value)} hint={hint}>
      {!isListed && <option value={id}>{id}</option>}
      {projects.map((project) => (
        <option key={project.id} value={project.id}>
          {project.name}
        </option>
      ))}
    </SelectField>
  );
}

export function NoProjectYet({ title }: { title: string }) {
  return (
    <Dialog title={title} onClose={() => showPanel(undefined)}>
      <div className="flex flex-col items-start gap-3 text-sm">
        <p>Tasks belong to a project. Create one first.</p>
        <Button kind="primary" onClick={() => showPanel("new-project")}>
          New project
        </Button>
      </div>
    </Dialog>
  );
}
