import { useEffect, useEffectEvent, useState } from "react";
import {
  TASK_PRIORITIES,
  TASK_TYPES,
  type TaskPriority,
  type TaskType,
} from "../../../../src/contract/documents/task-status.ts";
import { failureOf } from "../../api/failure.ts";
import { useAct } from "../../api/use-act.ts";
import { showPanel, usePanelTarget } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { capital } from "../../ui/text/capital.ts";
import { tell } from "../../ui/toasts.tsx";
import { keepLastProject } from "./last-project.ts";
import { useRoleOptions } from "./spawn/use-role-options.tsx";
import { ARROWS_HINT, NoProjectYet, ProjectChoice, type TargetProject, useTargetProject } from "./target-project.tsx";

interface Typed {
  title: string;
  description: string;
  type: TaskType;
  priority: TaskPriority;
  role: string;
  criteria: string;
  labels: string;
  blockedBy: string;
}

const EMPTY: Typed = {
  ...{ title: "", description: "", type: "feature", priority: "medium" },
  ...{ role: "", criteria: "", labels: "", blockedBy: "" },
};

const close = () => showPanel(undefined);

/** From anywhere: a title and Enter are enough. */
export default function NewTask() {
  const target = useTargetProject(usePanelTarget().projectId);
  const [typed, setTyped] = useState(EMPTY);
  const [error, setError] = useState<unknown>();
  const create = useAct("createTask", {
    onDone: ({ task }) => {
      const id = target.id ?? "";
      keepLastProject(id);
      tell(`${task.id} added.`, { text: "Open", to: `/projects/${encodeURIComponent(id)}/board?task=${task.id}` });
      close();
    },
    onFailure: setError,
  });
  const add = useWhenKnown(target.id, (id) => {
    setError(undefined);
    create.mutate({ params: { id }, body: bodyOf(typed) });
  });
  if (target.isNone) return <NoProjectYet title="New task" />;
  return (
    <Dialog title="New task" onClose={close}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.title.trim() !== "" && !create.isPending) add();
        }}
      >
        <Fields target={target} typed={typed} set={(change) => setTyped({ ...typed, ...change })} error={error} />
        <DialogFoot>
          <p className="mr-auto text-xs text-faint max-sm:hidden">
            <kbd>Enter</kbd> in the title adds the task
          </p>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabled={typed.title.trim() === ""}>
            Add task
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Enter may come before it is known in which project. */
function useWhenKnown(id: string | undefined, act: (id: string) => void): () => void {
  const [isAsked, setAsked] = useState(false);
  const go = useEffectEvent((known: string) => {
    setAsked(false);
    act(known);
  });
  useEffect(() => {
    if (isAsked && id !== undefined) go(id);
  }, [isAsked, id]);
  return () => setAsked(true);
}

interface FieldsProps {
  target: TargetProject;
  typed: Typed;
  set: (change: Partial<Typed>) => void;
  error: unknown;
}

function Fields({ target, typed, set, error }: FieldsProps) {
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  const roles = useRoleOptions({ projectId: target.id ?? "" });
  return (
    <>
      <TextField
        label="Title"
        required
        autoFocus
        maxLength={500}
        autoComplete="off"
        onKeyDown={target.onKeyDown}
        {...field("title")}
      />
      <ProjectChoice target={target} hint={ARROWS_HINT} />
      <TextArea label="Description" hint="Markdown." rows={5} {...field("description")} />
      <TextArea label="Acceptance criteria" hint="One per line." rows={3} {...field("criteria")} />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <SelectField label="Type" {...field("type")}>
          <Words of={TASK_TYPES} />
        </SelectField>
        <SelectField label="Priority" {...field("priority")}>
          <Words of={[...TASK_PRIORITIES].reverse()} />
        </SelectField>
        <SelectField label="Role" {...field("role")}>
          <option value="">Unassigned</option>
          {roles}
        </SelectField>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Labels" hint="Comma-separated." {...field("labels")} />
        <TextField label="Blocked by" hint="Task IDs, such as TASK-001." {...field("blockedBy")} />
      </div>
      {error !== undefined && <Trouble error={failureOf(error)} />}
    </>
  );
}

function Words({ of }: { of: readonly string[] }) {
  return of.map((word) => (
    <option key={word} value={word}>
      {capital(word)}
    </option>
  ));
}

function bodyOf({ title, description, type, priority, role, criteria, labels, blockedBy }: Typed) {
  const parts = (text: string, by: RegExp) =>
    text
      .split(by)
      .map((part) => part.trim())
      .filter(Boolean);
  return {
    title: title.trim(),
    description,
    type,
    priority,
    ...(role === "" ? {} : { assignedRoleId: role }),
    acceptanceCriteria: parts(criteria, /\n/).map((line) => line.replace(/^[-*] (\[[ x]\] )?/i, "")),
    labels: parts(labels, /,/),
    blockedBy: parts(blockedBy.toUpperCase(), /[\s,]+/),
  };
}
