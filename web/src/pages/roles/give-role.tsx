import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { useProjectsWith } from "./role-teams.tsx";

/** Of a role that no project has yet, with the way to change that. */
export function GiveRole({ roleId, name }: { roleId: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const having = useProjectsWith(roleId, { isOffer: true });
  const open = useQuery(queries.projects()).data?.projects.filter(({ status }) => status === "active") ?? [];
  if (having === undefined || having.length > 0 || open.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-info-soft px-3 py-2 text-sm">
      <p className="min-w-0 flex-1 basis-64">No project uses this role yet.</p>
      <Button size="small" onClick={() => setAsking(true)}>
        Add to a project
      </Button>
      {isAsking && <GiveDialog roleId={roleId} name={name} projects={open} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface GiveProps {
  roleId: string;
  name: string;
  projects: readonly { id: string; name: string }[];
  onClose: () => void;
}

function GiveDialog({ roleId, name, projects, onClose }: GiveProps) {
  const [id, setId] = useState(projects[0]?.id ?? "");
  const assign = useAct("createAssignment", {
    done: `Added ${name} to the team.`,
    onDone: onClose,
    onFailure: shownInline,
  });
  return (
    <Dialog title={`Add ${name} to a project`} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          assign.mutate({ params: { id }, body: { roleId, mode: "on-demand" } });
        }}
      >
        <SelectField label="Project" value={id} onChange={({ target }) => setId(target.value)}>
          {projects.map((project) => (
            <option key={project.id} value={project.id}>
              {project.name}
            </option>
          ))}
        </SelectField>
        {assign.error !== null && <Trouble error={assign.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={assign.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
