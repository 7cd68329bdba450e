import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { useAct } from "../../api/use-act.ts";
import { offer, tell } from "../../ui/toasts.tsx";
import { msUntil } from "../run/review/use-discard.ts";

interface Undoable {
  until: number;
  act: () => void;
  /** Removes its notice. */
  remove: () => void;
}

/** Of the page: one notice at a time, so that a series of answers does not cover what is answered next. */
let last: Undoable | undefined;

const SNOOZE_UNDO_MS = 60_000;

function remember(title: string, act: () => void, ms: number): void {
  last?.remove();
  const once = () => {
    last = undefined;
    act();
  };
  last = { until: Date.now() + ms, act: once, remove: offer(title, [{ text: "Undo", act: once }], ms) };
}

/** Takes back the last thing that was done, if it still can be. */
export function undoLast(): boolean {
  const { until = 0, act, remove } = last ?? {};
  if (act === undefined || Date.now() > until) return false;
  remove?.();
  act();
  return true;
}

/** Says what was done, with an undo for as long as the daemon allows it. `onBack`: it is open again. */
export function useUndoOffers(onBack: (id: string) => void) {
  const undo = useAct("undoEscalation", {
    done: ({ escalation }) => `Reopened ${escalation.id}.`,
    onDone: ({ escalation }) => onBack(escalation.id),
  });
  const wake = useAct("snoozeEscalation", {
    done: ({ escalation }) => `${escalation.id} is back in the inbox.`,
    onDone: ({ escalation }) => onBack(escalation.id),
  });
  return {
    ended: (title: string, { id, undoUntil }: Pick<Escalation, "id" | "undoUntil">) => {
      const ms = msUntil(undoUntil) ?? 0;
      if (ms === 0) tell(title);
      else remember(title, () => undo.mutate({ params: { id }, body: {} }), ms);
    },
    snoozed: (title: string, id: string) =>
      remember(title, () => wake.mutate({ params: { id }, body: { until: null } }), SNOOZE_UNDO_MS),
    undo: (id: string) => undo.mutate({ params: { id }, body: {} }),
    wake: (id: string) => wake.mutate({ params: { id }, body: { until: null } }),
    isBusy: (id: string) => isAbout(undo, id) || isAbout(wake, id),
  };
}

/** What was asked for last is about an entry, and not answered yet. */
export function isAbout(
  act: { isPending: boolean; variables: { params: { id: string } } | undefined },
  id: string,
): boolean {
  return act.isPending && act.variables?.params.id === id;
}
