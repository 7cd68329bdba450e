import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ClipboardList, FolderKanban, type LucideIcon, UserPlus } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { showPanel, usePanel } from "../../shell/panels.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/states.tsx";
import { NewTaskDialog } from "../task/task-dialogs.ts";
import { ProjectForm } from "./project-form.tsx";

type What = "project" | "task" | "role";

const KINDS: readonly { what: What; name: string; means: string; icon: LucideIcon }[] = [
  { what: "project", name: "Project", means: "A folder, a board and a team", icon: FolderKanban },
  { what: "task", name: "Task", means: "A piece of work on a board", icon: ClipboardList },
  { what: "role", name: "Role", means: "A template for agents", icon: UserPlus },
];

const close = () => showPanel(undefined);

/** Whatever a person wants to make, from wherever they are. */
export default function Create() {
  const { id } = useParams({ strict: false });
  const panel = usePanel();
  const isOpen = panel === "create";
  const [what, setWhat] = useState<What>(isOpen && id !== undefined ? "task" : "project");
  const [taskIn, setTaskIn] = useState<string>();
  const navigate = useNavigate();
  if (taskIn !== undefined)
    return (
      <NewTaskDialog
        projectId={taskIn}
        onClose={close}
        onDone={(task) => void navigate({ to: "/projects/$id/board", params: { id: taskIn }, search: { task } })}
      />
    );
  return (
    <Dialog title={`New ${what}`} onClose={close}>
      <div className="flex flex-col gap-4">
        {isOpen && <Kinds what={what} onWhat={setWhat} />}
        {what === "project" && (
          <ProjectForm
            startsWithFolders={panel === "choose-folder"}
            onClose={close}
            onMade={(made) => {
              close();
              void navigate({ to: "/projects/$id", params: { id: made } });
            }}
          />
        )}
        {what === "task" && <ChooseProject near={id} onChoose={setTaskIn} onProject={() => setWhat("project")} />}
        {what === "role" && <NewRole />}
      </div>
    </Dialog>
  );
}

function Kinds({ what, onWhat }: { what: What; onWhat: (what: What) => void }) {
  return (
    <fieldset className="grid grid-cols-3 gap-2">
      <legend className="sr-only">What to make</legend>
      {KINDS.map(({ what: kind, name, means, icon: Icon }) => (
        <label
          key={kind}
          className="flex cursor-pointer flex-col gap-0.5 rounded-lg border border-line px-3 py-2 hover:bg-sunk has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input type="radio" name="what" checked={what === kind} onChange={() => onWhat(kind)} className="sr-only" />
          <span className="flex items-center gap-1.5 text-sm font-medium">
            <Icon size={14} aria-hidden />
            {name}
          </span>
          <span className="text-xs text-faint max-sm:hidden">{means}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ChooseProps {
  /** The project whose page is open. */
  near: string | undefined;
  onChoose: (id: string) => void;
  onProject: () => void;
}

function ChooseProject({ near, onChoose, onProject }: ChooseProps) {
  const projects = useQuery(queries.projects());
  return (
    <Loaded query={projects}>
      {({ projects: all }) => {
        const open = all.filter(({ status }) => status === "active");
        if (open.length === 0)
          return (
            <p className="text-sm">
              There is no active project to put a task into.{" "}
              <Button size="small" onClick={onProject}>
                Make a project first
              </Button>
            </p>
          );
        const initial = open.find(({ id }) => id === near) ?? open[0];
        return <TaskIn projects={open} initial={initial?.id ?? ""} onChoose={onChoose} />;
      }}
    </Loaded>
  );
}

interface TaskInProps {
  projects: readonly { id: string; name: string }[];
  initial: string;
  onChoose: (id: string) => void;
}

function TaskIn({ projects, initial, onChoose }: TaskInProps) {
  const [id, setId] = useState(initial);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(id);
      }}
    >
      <SelectField label="In which project" value={id} onChange={({ target }) => setId(target.value)}>
        {projects.map((project) => (
          <option key={project.id} value={project.id}>
            {project.name}
          </option>
        ))}
      </SelectField>
      <div className="flex justify-end gap-2">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" kind="primary">
          Write the task
        </Button>
      </div>
    </form>
  );
}

function NewRole() {
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <p>A role says who an agent is: its task, its model, its tools, and what it is told.</p>
      <Link to="/roles/$roleId" params={{ roleId: "new" }} onClick={close} className={buttonLook({ kind: "primary" })}>
        Write a role
      </Link>
    </div>
  );
}
