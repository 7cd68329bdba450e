import { Archive, Pause, Play, Square } from "lucide-react";
import { useState } from "react";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../../../src/contract/words/teams/team-words.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";

/** What the person can do with the whole team. */
export function TeamActions({ team }: { team: Team }) {
  const [asked, setAsked] = useState<"stop" | "archive">();
  const params = { id: team.id };
  const pause = useAct("pauseTeam", { done: "Paused. Runs that work finish." });
  const resume = useAct("resumeTeam", { done: "Resumed." });
  const close = () => setAsked(undefined);
  if (hasEnded(team.status))
    return (
      <>
        <Button onClick={() => setAsked("archive")}>
          <Archive size={14} aria-hidden />
          Archive
        </Button>
        {asked === "archive" && <ArchiveTeam team={team} onClose={close} />}
      </>
    );
  return (
    <>
      {team.status === "paused" ? (
        <Button kind="primary" busy={resume.isPending} onClick={() => resume.mutate({ params })}>
          <Play size={14} aria-hidden />
          Resume
        </Button>
      ) : (
        <Button busy={pause.isPending} onClick={() => pause.mutate({ params })}>
          <Pause size={14} aria-hidden />
          Pause
        </Button>
      )}
      <Button kind="danger" onClick={() => setAsked("stop")}>
        <Square size={14} aria-hidden />
        Stop
      </Button>
      {asked === "stop" && <StopTeam team={team} onClose={close} />}
    </>
  );
}

interface AskedProps {
  team: Team;
  onClose: () => void;
}

function StopTeam({ team, onClose }: AskedProps) {
  const stop = useAct("stopTeam", { done: "Stopped.", onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title={`Stop ${visibleLine(team.name)}?`}
      action="Stop team"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ params: { id: team.id } })}
      onClose={onClose}
    >
      <p>Ends all of its runs for good. A stopped team can't continue; pause it to continue later.</p>
      {team.branch !== undefined && (
        <p className="wrap-anywhere">
          What it merged so far stays on <code>{visibleLine(team.branch)}</code>.
        </p>
      )}
    </Confirm>
  );
}

function ArchiveTeam({ team, onClose }: AskedProps) {
  const archive = useAct("cleanUpTeam", { done: "Archived.", onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title={`Archive ${visibleLine(team.name)}?`}
      action="Archive"
      danger={false}
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate({ params: { id: team.id } })}
      onClose={onClose}
    >
      <p>Moves the team's folder to the archive. The team leaves the list; its branch and runs stay.</p>
    </Confirm>
  );
}
