import type { ReactNode } from "react";
import { failureOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface ConfirmProps {
  title: string;
  /** What the button says that does it. */
  confirm: string;
  isDangerous?: boolean;
  act: { isPending: boolean; error: unknown };
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that others notice or that cannot be undone; a refusal stays in it. */
export function Confirm({ title, confirm, isDangerous = false, act, onConfirm, onClose, children }: ConfirmProps) {
  const refusal = act.error === null || act.error === undefined ? undefined : failureOf(act.error);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-sm">{children}</div>
      {refusal !== undefined && (
        <div role="alert" className="mt-3 rounded-md bg-bad-soft px-3 py-2 text-sm">
          <p className="font-medium text-bad">{refusal.message}</p>
          {refusal.hint !== undefined && <p>{refusal.hint}</p>}
        </div>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Not now</Button>
        <Button kind={isDangerous ? "danger" : "primary"} busy={act.isPending} onClick={onConfirm} autoFocus>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
