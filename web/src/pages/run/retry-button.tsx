import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import type { Run } from "../../../../src/contract/run.ts";
import { useAct } from "../../api/use-act.ts";
import { Button, type ButtonLook } from "../../ui/button.tsx";

/** A new run for the same task; the page goes on with it. */
export function RetryButton({ run, ...look }: { run: Run } & ButtonLook) {
  const navigate = useNavigate();
  const retry = useAct("retryRun", {
    done: "Started again.",
    onDone: ({ sessionId }) => void navigate({ to: "/runs/$runId", params: { runId: sessionId } }),
  });
  return (
    <Button {...look} busy={retry.isPending} onClick={() => retry.mutate({ params: { runId: run.id } })}>
      <RotateCcw size={14} aria-hidden />
      Retry
    </Button>
  );
}
