import { Link } from "@tanstack/react-router";
import { FileDiff, Square, Undo2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { useKeys } from "../../shell/keys.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { plural } from "../../ui/figures.tsx";
import { givesTaskBack, stoppedWords } from "../../ui/run/stopped-words.ts";
import { tell } from "../../ui/toasts.tsx";
import { RetryButton } from "./retry-button.tsx";
import { deedsFor } from "./standing.ts";
import type { ViewName } from "./view-tabs.tsx";

/** What can be done about a run as it stands. */
export function RunActions({ run, view }: { run: Run; view: ViewName }) {
  const [asked, setAsked] = useState<"stop" | "revert">();
  const deeds = deedsFor(run);
  const close = () => setAsked(undefined);
  useKeys({ x: () => (deeds.stop ? setAsked("stop") : false) });
  return (
    <>
      {deeds.stop && (
        <Button kind="danger" onClick={() => setAsked("stop")} title="Press x">
          <Square size={14} aria-hidden />
          Stop
        </Button>
      )}
      {deeds.revert && (
        <Button onClick={() => setAsked("revert")}>
          <Undo2 size={14} aria-hidden />
          Revert
        </Button>
      )}
      {deeds.retry && run.status !== "failed" && <RetryButton run={run} />}
      {deeds.decide && view !== "changes" && (
        <Link to="." search={{ view: "changes" }} className={buttonLook({ kind: "primary" })}>
          <FileDiff size={14} aria-hidden />
          Review
        </Link>
      )}
      {asked === "stop" && <Stop run={run} onClose={close} />}
      {asked === "revert" && <Revert run={run} onClose={close} />}
    </>
  );
}

function Stop({ run, onClose }: { run: Run; onClose: () => void }) {
  const stop = useAct("stopRun", { done: stoppedWords(run), onDone: onClose, onFailure: shownInline });
  const isLate = isOver(run) && !stop.isPending && !stop.isSuccess;
  const onLate = useEffectEvent(() => {
    tell("The run had already ended.");
    onClose();
  });
  useEffect(() => {
    if (isLate) onLate();
  }, [isLate]);
  return (
    <Confirm
      title="Stop this run?"
      action="Stop run"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ params: { runId: run.id } })}
      onClose={onClose}
    >
      <p>Stops the run and its subagents now. It can't be resumed; its changes so far are kept for review.</p>
      {givesTaskBack(run) && <p>{run.taskId} becomes pending; a retry starts over.</p>}
    </Confirm>
  );
}

function Revert({ run, onClose }: { run: Run; onClose: () => void }) {
  const revert = useAct("revertRun", {
    onDone: ({ rollback }) => {
      const left = rollback?.left.length ?? 0;
      tell(left === 0 ? "Reverted." : `Reverted, except ${plural(left, "file")} that changed since.`);
      onClose();
    },
    onFailure: shownInline,
  });
  return (
    <Confirm
      title="Revert this run's changes?"
      action="Revert"
      busy={revert.isPending}
      error={revert.error}
      onConfirm={() => revert.mutate({ params: { runId: run.id } })}
      onClose={onClose}
    >
      {run.delivery?.kind !== "branch" ? (
        <p>
          Restores the files in the project's folder. Files changed since then aren't touched. {run.taskId} becomes
          pending.
        </p>
      ) : (
        <p>
          Adds a commit to <code>{run.delivery.target}</code> that undoes the merge. {run.taskId} becomes pending.
        </p>
      )}
    </Confirm>
  );
}
