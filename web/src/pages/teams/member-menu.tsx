import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Team, TeamMember } from "../../../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../../../src/contract/words/teams/team-words.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { Menu } from "../../ui/menu.tsx";
import { ModelField } from "../../ui/model-field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";

interface MemberProps {
  member: TeamMember;
  team: Team;
}

/** What the person can do with one member; nothing once it has left or the team has ended. */
export function MemberMenu({ member, team }: MemberProps) {
  const [asked, setAsked] = useState<"model" | "stop">();
  const close = () => setAsked(undefined);
  if (hasEnded(team.status) || member.status === "stopped") return null;
  const name = visibleLine(member.name);
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        trigger={
          <IconButton label={`Actions for ${name}`} className="-my-1 -mr-1">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
        items={[
          { label: "Change model", detail: "From its next turn on.", onSelect: () => setAsked("model") },
          {
            label: "Stop member",
            detail: "Ends its run. Its task goes to another member.",
            danger: true,
            onSelect: () => setAsked("stop"),
          },
        ]}
      />
      {asked === "model" && <ChangeModel member={member} team={team} onClose={close} />}
      {asked === "stop" && <StopMember member={member} team={team} onClose={close} />}
    </>
  );
}

interface AskedProps extends MemberProps {
  onClose: () => void;
}

function ChangeModel({ member, team, onClose }: AskedProps) {
  const [model, setModel] = useState(member.model ?? "");
  const swap = useAct("swapMemberModel", {
    done: `${member.name} uses ${model.trim()} from its next turn on.`,
    onDone: onClose,
    onFailure: shownInline,
  });
  const isReady = model.trim() !== "" && model.trim() !== member.model;
  return (
    <Dialog title={`Change the model of ${visibleLine(member.name)}`} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !swap.isPending)
            swap.mutate({ params: { id: team.id, name: member.name }, body: { model: model.trim() } });
        }}
      >
        <ModelField value={model} onChange={({ target }) => setModel(target.value)} hint="Its work so far is kept." />
        {swap.error !== null && <Trouble error={swap.error} />}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={swap.isPending} disabled={!isReady}>
            Change model
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function StopMember({ member, team, onClose }: AskedProps) {
  const stop = useAct("stopMember", { done: `Stopped ${member.name}.`, onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title={`Stop ${visibleLine(member.name)}?`}
      action="Stop member"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ params: { id: team.id, name: member.name } })}
      onClose={onClose}
    >
      <p>Ends its run now. Another member takes over its task.</p>
    </Confirm>
  );
}
