import { Link } from "@tanstack/react-router";
import { Square } from "lucide-react";
import type { RunLine } from "../../../../src/contract/now.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { activityWords } from "../../../../src/contract/words/activity-words.ts";
import { HAND_IN_WORDS } from "../../../../src/contract/words/teams/team-words.ts";
import { useAct } from "../../api/use-act.ts";
import { useKeys } from "../../shell/keys.ts";
import { IconButton } from "../button.tsx";
import { Ago, Lasting, Money, tokensText } from "../figures.tsx";
import { GateBadge } from "../gate/gate-badge.tsx";
import { runGateState } from "../gate/gate-state.ts";
import { isWorthShowing, Meter } from "../meter.tsx";
import { ProjectName } from "../project-name.tsx";
import { capital } from "../text/capital.ts";
import { RoleName } from "./role-name.tsx";
import { RunBadge } from "./status.tsx";
import { stoppedWords, wasStoppedWords } from "./stopped-words.ts";

/** A run in one line: what it does at this moment, for how long, at what cost. */
function RunRow({ run, showProject = true }: { run: RunLine; showProject?: boolean }) {
  const over = isOver(run);
  const gate = runGateState(run);
  return (
    <li className="group relative flex items-start gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-sunk">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/runs/$runId"
            params={{ runId: run.id }}
            data-row
            data-run={over ? undefined : run.id}
            className="min-w-0 font-medium after:absolute after:inset-0"
          >
            <bdi>{run.title}</bdi>
          </Link>
          <RunBadge run={run} />
          {gate !== undefined && <GateBadge state={gate} />}
        </div>
        <p className="line-clamp-1 text-sm text-faint">{doing(run)}</p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-faint">
          <RoleName id={run.roleId} />
          {run.handIn !== undefined && <span>{HAND_IN_WORDS[run.handIn]}</span>}
          {showProject && <ProjectName id={run.projectId} />}
          <span>{run.taskId}</span>
          {run.delivery?.files !== undefined && run.delivery.files > 0 && (
            <span>
              {run.delivery.files} {run.delivery.files === 1 ? "file" : "files"}{" "}
              <span className="text-good">+{run.delivery.additions ?? 0}</span>{" "}
              <span className="text-bad">−{run.delivery.deletions ?? 0}</span>
            </span>
          )}
        </p>
      </div>
      <RunFigures run={run} over={over} />
      {!over && <StopRun run={run} />}
    </li>
  );
}

function doing(run: RunLine): string {
  if (run.status === "cancelled") return wasStoppedWords(run);
  if (run.error !== undefined) return run.error;
  if (run.delivery?.state === "review") return reviewWords(run.delivery);
  if (run.activity !== undefined) return capital(activityWords(run.activity));
  return run.status === "pending" ? "Waiting to start" : "";
}

/** Why it needs a review, where that is not just the rule of its project. */
function reviewWords({ reason, reasonCode }: NonNullable<RunLine["delivery"]>): string {
  if (reasonCode === "gate-running") return "Quality gates are checking this result";
  return reason === undefined || reasonCode === "required" ? "Ready for review" : capital(reason);
}

function RunFigures({ run, over }: { run: RunLine; over: boolean }) {
  return (
    <div className="flex shrink-0 flex-col items-end gap-0.5 text-xs text-faint">
      <span className="tabular-nums">
        {over ? <Ago at={run.endedAt ?? run.createdAt} /> : <Lasting from={run.startedAt ?? run.createdAt} />}
      </span>
      <span className="tabular-nums">
        <Money usd={run.costUsd} known={run.costKnown} />
      </span>
      {run.context !== undefined && isWorthShowing(run.context) && (
        <span className="flex items-center gap-1.5">
          context
          <Meter
            value={run.context.used}
            max={run.context.window}
            label={`Context: ${tokensText(run.context.used)} of ${tokensText(run.context.window)} tokens used`}
          />
        </span>
      )}
    </div>
  );
}

function StopRun({ run }: { run: RunLine }) {
  const stop = useAct("stopRun", { done: stoppedWords(run) });
  return (
    <IconButton
      label={`Stop ${run.title}`}
      busy={stop.isPending}
      onClick={() => stop.mutate({ params: { runId: run.id } })}
      className="relative z-10 -mr-1"
    >
      <Square size={12} fill="currentColor" className="text-bad" />
    </IconButton>
  );
}

/** `x` stops the run of the row that has the focus. */
function useStopKey(): void {
  const stop = useAct("stopRun", { done: "Stopped." });
  useKeys({
    x: () => {
      const runId = (document.activeElement as HTMLElement | null)?.dataset.run;
      if (runId === undefined) return false;
      stop.mutate({ params: { runId } });
    },
  });
}

export function RunRows({
  runs,
  showProject = true,
  label,
}: {
  runs: readonly RunLine[];
  showProject?: boolean;
  label: string;
}) {
  useStopKey();
  return (
    <ul aria-label={label} className="overflow-hidden rounded-lg border border-line bg-card">
      {runs.map((run) => (
        <RunRow key={run.id} run={run} showProject={showProject} />
      ))}
    </ul>
  );
}
