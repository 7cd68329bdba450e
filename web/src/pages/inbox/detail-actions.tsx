import { useNavigate } from "@tanstack/react-router";
import { AlarmClock, ArrowUpRight, Bot, CircleSlash, Inbox } from "lucide-react";
import { useState } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { useKeys } from "../../shell/keys.ts";
import { Button } from "../../ui/button.tsx";
import { HintButton } from "../../ui/hint-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import { placeOf } from "./places.ts";
import { SnoozeDialog } from "./snooze-dialog.tsx";
import type { InboxActs } from "./use-inbox-acts.ts";

/** What can be done with an open entry besides answering it. */
export function DetailActions({ escalation, acts }: { escalation: Escalation; acts: InboxActs }) {
  const [open, setOpen] = useState<"dismiss" | "snooze">();
  const close = () => setOpen(undefined);
  const navigate = useNavigate();
  const { id, subject, status } = escalation;
  const asked = escalation.permission;
  // Only the person decides about a permission, and refusing it is one of the answers. The same is true of a team's questions.
  const mayHand = subject === undefined && asked === undefined && escalation.team == null;
  const mayDismiss = asked === undefined && escalation.team == null;
  const place = placeOf(escalation);
  const isSnoozed = escalation.snoozedUntil !== undefined && Date.parse(escalation.snoozedUntil) > Date.now();
  useKeys({
    s: () => setOpen("snooze"),
    d: () => (mayDismiss ? setOpen("dismiss") : false),
    h: () => {
      if (!mayHand) return false;
      if (!acts.isBusy(id)) acts.hand(id, "main");
    },
    o: () => (place === undefined ? false : void navigate(place)),
  });
  return (
    <div className="flex flex-wrap gap-2">
      {status === "draft" && (
        <Button size="small" busy={acts.isBusy(id)} onClick={() => acts.promote(id)}>
          <Inbox size={14} aria-hidden />
          Move to Pending
        </Button>
      )}
      {mayHand && <Hand escalation={escalation} acts={acts} />}
      {isSnoozed ? (
        <Button size="small" busy={acts.isBusy(id)} onClick={() => acts.wake(id)}>
          <AlarmClock size={14} aria-hidden />
          End snooze
        </Button>
      ) : (
        <Button size="small" onClick={() => setOpen("snooze")} title="Press s">
          <AlarmClock size={14} aria-hidden />
          Snooze
        </Button>
      )}
      {mayDismiss && (
        <Button size="small" onClick={() => setOpen("dismiss")} title="Press d">
          <CircleSlash size={14} aria-hidden />
          Dismiss
        </Button>
      )}
      {escalation.hintAction !== undefined && <HintButton of={escalation.hintAction} size="small" />}
      {place !== undefined && (
        <Button size="small" onClick={() => void navigate(place)} title="Press o">
          <ArrowUpRight size={14} aria-hidden />
          {place.label}
        </Button>
      )}
      {open === "dismiss" && <DismissDialog {...{ escalation, acts }} onClose={close} />}
      {open === "snooze" && <SnoozeDialog onSnooze={(until) => acts.snooze(id, until)} onClose={close} />}
    </div>
  );
}

/** An agent decides in the person's place, and gives its reason. */
function Hand({ escalation: { id, projectId }, acts }: { escalation: Escalation; acts: InboxActs }) {
  return (
    <Menu
      label="Let an agent decide"
      trigger={
        <Button size="small" busy={acts.isBusy(id)} title="Press h for the main agent">
          <Bot size={14} aria-hidden />
          {acts.isHanded(id) ? "An agent is deciding…" : "Decide for me"}
        </Button>
      }
      items={[
        {
          label: "Main agent",
          detail: "It chooses an answer and gives its reason.",
          onSelect: () => acts.hand(id, "main"),
        },
        ...(projectId === undefined
          ? []
          : [
              {
                label: "Project's agent",
                detail: "It knows the project and its files.",
                onSelect: () => acts.hand(id, "project"),
              },
            ]),
      ]}
    />
  );
}
