import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Trouble } from "./states.tsx";

interface ConfirmProps {
  title: string;
  /** What comes of it. */
  children: ReactNode;
  /** What the button says. */
  action: string;
  /** It has to be typed before the button can be pressed. */
  typed?: string;
  danger?: boolean;
  /** There is nothing to be done. */
  disabled?: boolean;
  busy: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done that is not easily taken back. */
export function Confirm({
  title,
  children,
  action,
  typed,
  danger = true,
  disabled = false,
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const [given, setGiven] = useState("");
  const isReady = !disabled && (typed === undefined || given === typed);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !busy) onConfirm();
        }}
      >
        <div className="flex flex-col gap-2 text-sm">{children}</div>
        {typed !== undefined && (
          <TextField
            label={`Type ${typed} to confirm`}
            value={given}
            onChange={({ target }) => setGiven(target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {error != null && <Trouble error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            data-first={(typed === undefined && isReady) || undefined}
            type="submit"
            kind={danger ? "danger" : "primary"}
            busy={busy}
            disabled={!isReady}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
