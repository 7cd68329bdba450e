import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { failureOf } from "../../api/failure.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { tell } from "../../ui/toasts.tsx";

/** A role out of a file of another tool. */
export function ImportRole({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const navigate = useNavigate();
  const act = useAct("importRole", {
    onFailure: setError,
    onDone: ({ role, notes }) => {
      for (const note of notes) tell(note);
      onClose();
      void navigate({ to: "/roles/$roleId", params: { roleId: role.id } });
    },
  });
  return (
    <Dialog title="Import a role" onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ body: { text } });
        }}
      >
        <TextArea
          label="Text of a .claude/agents file"
          hint="Frontmatter with name and description, followed by the prompt."
          rows={12}
          required
          className="font-mono text-xs"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={error === undefined ? undefined : failureOf(error).message}
        />
        <Button kind="primary" type="submit" busy={act.isPending} className="self-end">
          Import
        </Button>
      </form>
    </Dialog>
  );
}
