import { Pencil, Plus, X } from "lucide-react";
import { useState } from "react";
import type { Criterion, Task } from "../../../../src/contract/documents/task.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { CriterionTick } from "./criterion-tick.tsx";
import { type ChangeCriteria, useCriteria } from "./use-criteria.ts";

/** How a person sees that the task is done. */
export function CriteriaList({ task }: { task: Task }) {
  const { change, problem } = useCriteria(task);
  const [adding, setAdding] = useState("");
  return (
    <div className="flex flex-col gap-1">
      <ul className="flex flex-col text-sm" aria-label="Acceptance criteria">
        {task.acceptanceCriteria.map((criterion, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text
          <CriterionRow key={`${index} ${criterion.text}`} criterion={criterion} change={change} />
        ))}
      </ul>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const text = adding.trim();
          if (text !== "") void change({ kind: "add", text }).then((isDone) => isDone && setAdding(""));
        }}
      >
        <div className="flex-1">
          <TextField
            label="Add a criterion"
            hideLabel
            placeholder="Add a criterion"
            value={adding}
            error={problem}
            onChange={(event) => setAdding(event.target.value)}
          />
        </div>
        {adding.trim() !== "" && (
          <Button type="submit">
            <Plus size={14} aria-hidden />
            Add
          </Button>
        )}
      </form>
    </div>
  );
}

function CriterionRow({ criterion, change }: { criterion: Criterion; change: ChangeCriteria }) {
  const { text } = criterion;
  const [typed, setTyped] = useState<string>();
  const finish = async () => {
    const to = typed?.trim() ?? "";
    if (to === "" || to === text || (await change({ kind: "edit", text, to }))) setTyped(undefined);
  };
  if (typed !== undefined)
    return (
      <li className="py-0.5">
        <TextField
          label="Criterion"
          hideLabel
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => void finish()}
          onKeyDown={(event) => {
            if (event.key === "Enter") void finish();
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            setTyped(undefined);
          }}
        />
      </li>
    );
  return (
    <li className="group flex items-start gap-2 rounded-md py-1 hover:bg-sunk">
      <CriterionTick criterion={criterion} change={change} />
      <span className="-my-0.5 flex sm:opacity-0 sm:group-focus-within:opacity-100 sm:group-hover:opacity-100">
        <IconButton label={`Edit criterion: ${text}`} className="!size-6" onClick={() => setTyped(text)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
        <IconButton
          label={`Remove criterion: ${text}`}
          className="!size-6"
          onClick={() => void change({ kind: "remove", text })}
        >
          <X size={14} aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}
