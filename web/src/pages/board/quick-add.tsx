import { Plus } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../api/failure.ts";
import { shownInline, useAct } from "../../api/use-act.ts";

/** A title and Enter: the rest can come later. */
export function QuickAdd({ projectId }: { projectId: string }) {
  const [title, setTitle] = useState("");
  const create = useAct("createTask", {
    done: ({ task }) => `${task.id} added.`,
    onDone: () => setTitle(""),
    onFailure: shownInline,
  });
  // That the daemon was away is not so any more once it is back.
  const problem = create.error === null ? undefined : failureOf(create.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim() !== "" && !create.isPending)
          create.mutate({ params: { id: projectId }, body: { title: title.trim() } });
      }}
    >
      <label className="flex items-center gap-1.5 rounded-md border border-dashed border-edge px-2 focus-within:border-solid focus-within:border-accent focus-within:bg-card">
        <Plus size={14} aria-hidden className="shrink-0 text-faint" />
        <span className="sr-only">Add a task</span>
        <input
          value={title}
          maxLength={500}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
          placeholder="Add a task"
          aria-busy={create.isPending}
          className="h-7 w-full min-w-0 bg-transparent text-sm outline-none placeholder:text-faint"
        />
      </label>
      {problem !== undefined && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {problem.message}
        </p>
      )}
    </form>
  );
}
