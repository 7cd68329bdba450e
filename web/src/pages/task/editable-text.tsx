import { Pencil } from "lucide-react";
import type { KeyboardEvent, ReactNode, Ref } from "react";
import type { Task } from "../../../../src/contract/documents/task.ts";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Meanwhile } from "../../ui/meanwhile.tsx";
import { isDirty, isSame } from "./draft.ts";
import { Contested, useSaveTask } from "./save-task.ts";
import { type Drafting, useDraft } from "./use-draft.ts";

interface EditableProps {
  task: Task;
  label: string;
  /** The field as text, and the change that a text makes. */
  read: (task: Task) => string;
  write: (text: string) => NonNullable<RouteBodyInput<"updateTask">>;
  /** As it is shown while nobody edits it. */
  children: ReactNode;
  isLong?: boolean;
  hint?: string;
  editButton?: Ref<HTMLButtonElement>;
}

/** A field that is read until somebody wants to change it. */
export function EditableText(props: EditableProps) {
  const { task, label, read, write, children, editButton } = props;
  const save = useSaveTask(task.projectId, task.id);
  const drafting = useDraft(`${task.projectId} ${task.id} ${label}`, read(task), ({ base, mine }) =>
    save((now) => {
      if (!isSame(read(now), base)) throw new Contested();
      return write(mine);
    }),
  );
  if (drafting.draft !== undefined) return <Editor {...props} drafting={drafting} live={read(task)} />;
  return (
    <div className="group flex items-start gap-1">
      <div className="min-w-0 flex-1">{children}</div>
      <IconButton
        ref={editButton}
        label={`Edit ${label.toLowerCase()}`}
        onClick={drafting.begin}
        className="-my-1 !size-7 sm:opacity-60 sm:group-hover:opacity-100 sm:focus-visible:opacity-100"
      >
        <Pencil size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function Editor({
  label,
  isLong = false,
  hint,
  drafting,
  live,
}: EditableProps & { drafting: Drafting<string>; live: string }) {
  const { draft, type, save, drop, problem, isSaving } = drafting;
  const mine = draft?.mine ?? "";
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Enter" && (!isLong || event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void save();
    }
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    // What was typed is not thrown away by a key; the button does that.
    if (draft !== undefined && isDirty(draft)) event.currentTarget.blur();
    else drop();
  };
  const field = { label, hideLabel: true, value: mine, error: problem, hint, onKeyDown, autoFocus: true };
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2">
      {isLong ? (
        <TextArea {...field} rows={8} onChange={(event) => type(event.target.value)} />
      ) : (
        <TextField {...field} onChange={(event) => type(event.target.value)} />
      )}
      {drafting.isContested && (
        <Meanwhile what={`The ${label.toLowerCase()}`} theirs={live} onTake={drop} onKeep={drafting.keepMine} />
      )}
      <div className="flex gap-2">
        <Button
          kind="primary"
          size="small"
          busy={isSaving}
          disabled={drafting.isContested}
          onClick={() => void save()}
          title={isLong ? "Ctrl+Enter" : "Enter"}
        >
          Save
        </Button>
        <Button size="small" onClick={drop}>
          {draft !== undefined && isDirty(draft) ? "Discard" : "Cancel"}
        </Button>
      </div>
    </div>
  );
}
