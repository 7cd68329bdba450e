import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextArea, TextField } from "../../../ui/field.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";

interface AddProps {
  title: string;
  write: "writeContext" | "writeMemory";
  name: { hint: (path: string) => string; placeholder: string };
  text: { placeholder?: string };
  /** Where a document of that name is kept; empty when it can have no such name. */
  pathOf: (name: string) => string;
  /** Why it cannot be kept there. */
  problemOf?: (path: string) => string | undefined;
  onClose: () => void;
}

/** A new document of a project, which is open once it is there. */
export function AddDocument({ title, write, name, text, pathOf, problemOf, onClose }: AddProps) {
  const id = useProjectId();
  const navigate = useNavigate();
  const [called, setCalled] = useState("");
  const [content, setContent] = useState("");
  const act = useAct(write, {
    done: "Added.",
    onDone: ({ file }) => {
      onClose();
      void navigate({ to: ".", search: { view: file.path } });
    },
    onFailure: shownInline,
  });
  const path = pathOf(called.trim());
  const problem = called.trim() === "" ? undefined : problemOf?.(path);
  return (
    <Dialog title={title} onClose={onClose} look="wide">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ params: { id }, body: { path, content } });
        }}
      >
        <TextField
          label="Name"
          hint={name.hint(path)}
          placeholder={name.placeholder}
          required
          value={called}
          error={problem}
          onChange={({ target }) => setCalled(target.value)}
        />
        <TextArea
          label="Text"
          rows={12}
          placeholder={text.placeholder}
          value={content}
          onChange={({ target }) => setContent(target.value)}
          className="font-mono"
        />
        {act.error !== null && <Trouble error={act.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={act.isPending} disabled={path === "" || problem !== undefined}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
