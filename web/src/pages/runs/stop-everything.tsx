import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { useState } from "react";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { countText, plural } from "../../ui/figures.tsx";

/** Ends all work, here and in all projects. Only there while somebody works. */
export default function StopEverything({ size = "normal" }: { size?: "normal" | "small" }) {
  const [isAsking, setAsking] = useState(false);
  const { data } = useQuery(queries.now());
  const atWork = data === undefined ? 0 : data.counts.running + data.counts.pending;
  const stop = useAct("stopRuns", {
    done: ({ runs }) => `Stopped ${plural(runs.filter((run) => isOver(run) || run.settling).length, "run")}.`,
    onDone: () => setAsking(false),
    onFailure: shownInline,
  });
  if (atWork === 0 && !isAsking) return null;
  return (
    <>
      <Button kind="danger" size={size} onClick={() => setAsking(true)}>
        <OctagonX size={14} aria-hidden />
        Stop everything
      </Button>
      {isAsking && (
        <Confirm
          title="Stop everything?"
          action={`Stop ${plural(atWork, "run")}`}
          busy={stop.isPending}
          error={stop.error}
          onConfirm={() => stop.mutate({})}
          onClose={() => setAsking(false)}
        >
          <p>
            Stops {atWork === 1 ? "1 run" : `all ${countText(atWork)} runs`} in every project now. Stopped runs can't be
            resumed; their changes are kept, and you can retry each one.
          </p>
        </Confirm>
      )}
    </>
  );
}
