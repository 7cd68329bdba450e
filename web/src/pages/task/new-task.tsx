import { useState } from "react";
import {
  TASK_PRIORITIES,
  TASK_TYPES,
  type TaskPriority,
  type TaskType,
} from "../../../../src/contract/documents/task-status.ts";
import { failureOf } from "../../api/failure.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { capital } from "../../ui/text/capital.ts";
import { useRoleOptions } from "./use-role-options.tsx";

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

/** What is to be done. `onDone` gets the new task's id. */
export function NewTaskDialog({
  projectId,
  onClose,
  onDone,
}: {
  projectId: string;
  onClose: () => void;
  onDone?: (taskId: string) => void;
}) {
  const [typed, setTyped] = useState(EMPTY);
  const [error, setError] = useState<unknown>();
  const create = useAct("createTask", {
    done: ({ task }) => `${task.id} was added.`,
    onDone: ({ task }) => {
      onDone?.(task.id);
      onClose();
    },
    onFailure: setError,
  });
  const set = (change: Partial<Typed>) => setTyped({ ...typed, ...change });
  return (
    <Dialog title="New task" onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setError(undefined);
          create.mutate({ params: { id: projectId }, body: bodyOf(typed) });
        }}
      >
        <Fields projectId={projectId} typed={typed} set={set} error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabled={typed.title.trim() === ""}>
            Add the task
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  projectId: string;
  typed: Typed;
  set: (change: Partial<Typed>) => void;
  error: unknown;
}

function Fields({ projectId, typed, set, error }: FieldsProps) {
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  const roles = useRoleOptions({ projectId });
  return (
    <>
      <TextField label="Title" required autoFocus maxLength={500} {...field("title")} />
      <TextArea label="Description" hint="Markdown." rows={5} {...field("description")} />
      <TextArea
        label="Acceptance criteria"
        hint="One per line: how you will see that it is done."
        rows={3}
        {...field("criteria")}
      />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <SelectField label="Type" {...field("type")}>
          <Words of={TASK_TYPES} />
        </SelectField>
        <SelectField label="Priority" {...field("priority")}>
          <Words of={[...TASK_PRIORITIES].reverse()} />
        </SelectField>
        <SelectField label="Role" {...field("role")}>
          <option value="">Nobody yet</option>
          {roles}
        </SelectField>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Labels" hint="Separated by commas." {...field("labels")} />
        <TextField label="Waits for" hint="Ids of tasks, such as TASK-001." {...field("blockedBy")} />
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
