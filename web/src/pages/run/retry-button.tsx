import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button, type ButtonLook } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { tellFailure } from "../../ui/toasts.tsx";
import { runsOfTask } from "./family-model.ts";
import { waitsForReview } from "./standing.ts";

/** A new run for the same task; the page goes on with it. What waits for review is not passed over without a word. */
export function RetryButton({ run, ...look }: { run: Run } & ButtonLook) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { data } = useQuery(runsOfTask(run));
  const waiting = run.purpose === "work" ? [run, ...(data?.runs ?? [])].find(waitsForReview) : undefined;
  const retry = useAct("retryRun", {
    done: "Retry started.",
    onDone: ({ sessionId }) => void navigate({ to: "/runs/$runId", params: { runId: sessionId } }),
    onFailure: waiting === undefined ? tellFailure : shownInline,
  });
  const again = () => retry.mutate({ params: { runId: run.id } });
  return (
    <>
      <Button {...look} busy={retry.isPending} onClick={waiting === undefined ? again : () => setAsking(true)}>
        <RotateCcw size={14} aria-hidden />
        Retry
      </Button>
      {isAsking && waiting !== undefined && (
        <Confirm
          title="Retry this task?"
          action="Retry"
          danger={false}
          busy={retry.isPending}
          error={retry.error}
          onConfirm={again}
          onClose={() => setAsking(false)}
        >
          <WhatWaits isThis={waiting.id === run.id} isOnBranch={waiting.delivery?.kind === "branch"} />
        </Confirm>
      )}
    </>
  );
}

function WhatWaits({ isThis, isOnBranch }: { isThis: boolean; isOnBranch: boolean }) {
  const kept = isOnBranch ? "stays on its branch" : "stays in the folder";
  return (
    <>
      <p>
        {isThis ? "The result in review" : "Another run's result, which is in review,"} {kept}, and the new run starts
        over. You can still approve or discard it.
      </p>
      {isThis && <p>To improve this result, request changes instead.</p>}
    </>
  );
}
