import { useState } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import type { InboxActs } from "./use-inbox-acts.ts";

interface DismissProps {
  escalation: Escalation;
  acts: Pick<InboxActs, "dismiss">;
  onClose: () => void;
}

/** Closes a question without an answer; the reason reaches the agents that asked. A derived entry is hidden. */
export function DismissDialog({ escalation, acts, onClose }: DismissProps) {
  const isQuestion = escalation.subject === undefined;
  const [reason, setReason] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  return (
    <Dialog title={isQuestion ? `Dismiss ${escalation.id}?` : "Dismiss this entry?"} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const given = reason.trim();
          setEmpty(given === "");
          if (given === "") return;
          onClose();
          acts.dismiss(escalation.id, given);
        }}
      >
        <TextArea
          label="Reason"
          hint={`${whatFollows(escalation)} Ctrl+Enter sends.`}
          rows={3}
          maxLength={2_000}
          value={reason}
          error={isEmpty && reason.trim() === "" ? "Give a reason." : undefined}
          onChange={({ target }) => setReason(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Dismiss
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function whatFollows({ subject, askers }: Escalation): string {
  if (subject !== undefined) return "Hides this entry until something changes.";
  return `Sent to the ${askers.length > 1 ? "agents" : "agent"} that asked.`;
}
