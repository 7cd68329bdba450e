import { Check, Undo2 } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { useKeys } from "../../../shell/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { useDraft } from "../../run/diff/use-draft.ts";
import type { ApprovalProps } from "./approval-props.ts";

/** Approve, or send it back with remarks. What was typed is kept until it is sent. */
export function DecisionForm({ team, what, keys, onDone }: ApprovalProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(`${team.id} ${what}`);
  const [isWriting, setWriting] = useState(draft.text !== "");
  const [isMissing, setMissing] = useState(false);
  const remarks = draft.text.trim();
  const decided = () => {
    draft.write("");
    setWriting(false);
    onDone?.();
  };
  const approve = useAct("approvePlan", {
    done: what === "plan" ? "Plan approved. Work starts." : "Spec approved.",
    onDone: decided,
    onFailure: shownInline,
  });
  const reject = useAct("rejectPlan", {
    done: `Changes requested. The lead writes another ${what}.`,
    onDone: decided,
    onFailure: shownInline,
  });
  const isBusy = approve.isPending || reject.isPending;
  const params = { id: team.id };
  const accept = () => {
    if (!isBusy) approve.mutate({ params, body: {} });
  };
  const write = () => {
    setWriting(true);
    requestAnimationFrame(() => box.current?.focus());
  };
  const send = () => {
    setMissing(remarks === "");
    if (remarks === "") box.current?.focus();
    else if (!isBusy) reject.mutate({ params, body: { remarks } });
  };
  useKeys(keys === "page" ? { a: accept, r: write } : {});
  const error = approve.error ?? reject.error;
  return (
    <div className="flex flex-col gap-3">
      {isWriting && (
        <TextArea
          ref={box}
          label="Requested changes"
          placeholder={
            what === "plan" ? "Split the first task; leave the settings page out." : "Also cover signed-out users."
          }
          hint="The lead gets your words. Ctrl+Enter sends."
          rows={3}
          maxLength={10_000}
          value={draft.text}
          error={isMissing && remarks === "" ? "Describe what should change." : undefined}
          onChange={({ target }) => draft.write(target.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
          }}
        />
      )}
      {error !== null && <Trouble error={error} />}
      <div className="flex flex-wrap gap-2">
        {isWriting ? (
          <>
            <Button kind="primary" busy={reject.isPending} onClick={send}>
              Send to the lead
            </Button>
            <Button onClick={() => setWriting(false)}>Cancel</Button>
          </>
        ) : (
          <>
            <Button kind="primary" busy={approve.isPending} onClick={accept} title={hinted(keys, "a")}>
              <Check size={14} aria-hidden />
              Approve {what}
            </Button>
            <Button disabled={isBusy} onClick={write} title={hinted(keys, "r")}>
              <Undo2 size={14} aria-hidden />
              Request changes
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

function hinted(keys: ApprovalProps["keys"], key: string): string | undefined {
  return keys === "page" ? `Press ${key}` : undefined;
}
