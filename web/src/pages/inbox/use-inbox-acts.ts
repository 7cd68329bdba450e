import { useQueryClient } from "@tanstack/react-query";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { failureOf } from "../../api/failure.ts";
import { useAct } from "../../api/use-act.ts";
import { tell, tellFailure } from "../../ui/toasts.tsx";
import { forgetDraft } from "../run/diff/use-draft.ts";
import { decidedText } from "./inbox-words.ts";
import { shortened } from "./shortened.ts";
import { isAbout, useUndoOffers } from "./undo.ts";

export type Answering = RouteBodyInput<"resolveEscalation">;

export interface InboxActs {
  resolve(escalation: Escalation, body: Answering): void;
  dismiss(id: string, reason: string): void;
  snooze(id: string, until: Date): void;
  wake(id: string): void;
  hand(id: string, to: "main" | "project"): void;
  promote(id: string): void;
  undo(id: string): void;
  /** It was decided elsewhere than here. */
  ended(id: string): void;
  /** Something was sent about it, and the answer is on its way. Other entries can be answered meanwhile. */
  isBusy(id: string): boolean;
  /** An agent decides it at this moment. */
  isHanded(id: string): boolean;
}

interface Following {
  /** It waits for the person no longer. */
  onGone?: (id: string) => void;
  /** It was reopened, or is no longer snoozed. */
  onBack?: (id: string) => void;
  /** Somebody else was faster, or it was withdrawn: what was decided is shown in its place. */
  onLate?: (id: string) => void;
}

/** What the person does with an entry. It says what was done, with an undo while there is one. */
export function useInboxActs({ onGone, onBack, onLate }: Following): InboxActs {
  const client = useQueryClient();
  const offers = useUndoOffers((id) => onBack?.(id));
  const onFailure = (error: unknown, { params: { id } }: { params: { id: string } }) => {
    if (!isLate(error)) return tellFailure(error);
    void client.invalidateQueries({ queryKey: ["escalation", id] });
    void client.invalidateQueries({ queryKey: ["escalations"] });
    onLate?.(id);
  };
  const gone = (title: string, escalation: Escalation) => {
    offers.ended(title, escalation);
    onGone?.(escalation.id);
  };
  const resolve = useAct("resolveEscalation", {
    onDone: ({ escalation }) => {
      forgetDraft(escalation.id);
      gone(answeredWords(escalation), escalation);
    },
    onFailure,
  });
  const dismiss = useAct("dismissEscalation", {
    onDone: ({ escalation }) => gone(`Dismissed ${escalation.id}.`, escalation),
    onFailure,
  });
  const snooze = useAct("snoozeEscalation", {
    onDone: ({ escalation: { id } }) => {
      offers.snoozed(`Snoozed ${id}.`, id);
      onGone?.(id);
    },
    onFailure,
  });
  const hand = useAct("handEscalation", {
    onDone: ({ escalation }) => gone(handedWords(escalation), escalation),
    onFailure,
  });
  const promote = useAct("promoteEscalation", {
    onDone: ({ escalation: { id } }) => tell(`${id} is in your inbox.`),
    onFailure,
  });
  return {
    // What is derived is decided as it was shown: another result or another file is looked at first.
    resolve: ({ id, subject, etag }, body) =>
      resolve.mutate({ params: { id }, body, ...(subject === undefined ? {} : { ifMatch: etag }) }),
    dismiss: (id, reason) => dismiss.mutate({ params: { id }, body: { reason } }),
    snooze: (id, until) => snooze.mutate({ params: { id }, body: { until: until.toISOString() } }),
    hand: (id, to) => hand.mutate({ params: { id }, body: { to } }),
    promote: (id) => promote.mutate({ params: { id }, body: {} }),
    undo: offers.undo,
    ended: (id) => onGone?.(id),
    wake: offers.wake,
    isBusy: (id) => [resolve, dismiss, snooze, promote, hand].some((act) => isAbout(act, id)) || offers.isBusy(id),
    isHanded: (id) => isAbout(hand, id),
  };
}

/** It was answered, dismissed, handled elsewhere, or is gone. */
function isLate(error: unknown): boolean {
  const { code } = failureOf(error);
  return code === "escalation_resolved" || code === "escalation_not_found";
}

function answeredWords(escalation: Escalation): string {
  const { id, subject } = escalation;
  const said = shortened(decidedText(escalation), 80);
  return subject === undefined ? `Answered ${id}: ${said}` : `${said}: done`;
}

/** The agent may have decided at once, or may still be at it. */
function handedWords({ id, status, answer, resolution }: Escalation): string {
  return status === "resolved"
    ? `The agent answered ${id}: ${shortened(answer ?? resolution ?? "", 80)}`
    : `An agent decides ${id}.`;
}
