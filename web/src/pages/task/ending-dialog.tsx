import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Task } from "../../../../src/contract/documents/task.ts";
import type { TASK_OUTCOMES, TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextArea } from "../../ui/field.tsx";
import { taskWords } from "../../ui/run/status.tsx";
import { Loaded, Trouble } from "../../ui/states.tsx";
import { useSaveTask } from "./save-task.ts";

type Outcome = NonNullable<Task["outcome"]>;

const OUTCOMES: Record<(typeof TASK_OUTCOMES)[number], string> = {
  full: "Completed",
  partial: "Partly done",
  escalated: "Escalated",
  skipped: "Skipped",
};

interface EndingProps {
  projectId: string;
  taskId: string;
  status: TaskStatus;
  onClose: () => void;
}

/** How a task ended that is over: its outcome, and a few words. */
export function EndingDialog({ projectId, taskId, status, onClose }: EndingProps) {
  const task = useQuery(queries.task(projectId, taskId));
  return (
    <Dialog title={`${taskId} ${taskWords[status].toLowerCase()}: add a note`} onClose={onClose}>
      <Loaded query={task}>{({ task: found }) => <EndingForm task={found} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

function EndingForm({ task, onClose }: { task: Task; onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome | "">(task.outcome ?? "");
  const [notes, setNotes] = useState(task.completionNotes ?? "");
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = useSaveTask(task.projectId, task.id);
  const submit = async () => {
    setSaving(true);
    try {
      await save(() => ({ outcome: outcome === "" ? null : outcome, completionNotes: notes.trim() || null }));
      onClose();
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving) void submit();
      }}
    >
      <TextArea
        label="Note"
        hint="Markdown. Saved with the result. Ctrl+Enter saves."
        rows={4}
        data-first
        value={notes}
        onChange={({ target }) => setNotes(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <SelectField label="Outcome" value={outcome} onChange={({ target }) => setOutcome(target.value as Outcome | "")}>
        <option value="">Not set</option>
        {Object.entries(OUTCOMES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      {error !== undefined && <Trouble error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={isSaving}>
          Save
        </Button>
      </div>
    </form>
  );
}
