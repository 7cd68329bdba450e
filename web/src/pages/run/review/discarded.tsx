import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { Button } from "../../../ui/button.tsx";
import { msUntil, useUndoDiscard } from "./use-discard.ts";

/** Offers to bring a discarded result back, while that is possible. */
export function Discarded({ run }: { run: Run }) {
  const { discard } = run.delivery ?? {};
  if (run.delivery?.state !== "discarded" || discard?.until === undefined) return null;
  return <Undo key={discard.until} runId={run.id} until={discard.until} />;
}

function Undo({ runId, until }: { runId: string; until: string }) {
  const [isOver, setOver] = useState(() => msUntil(until) === 0);
  const undo = useUndoDiscard();
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), msUntil(until));
    return () => clearTimeout(timer);
  }, [until]);
  if (isOver) return null;
  return (
    <section
      aria-label="Discarded"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-accent-soft px-4 py-3 text-sm"
    >
      <Trash2 size={16} aria-hidden className="shrink-0 text-accent" />
      <p className="min-w-0 flex-1">You discarded this result. You can undo this for a short time.</p>
      <Button size="small" busy={undo.isPending} onClick={() => undo.mutate({ params: { runId } })}>
        Undo
      </Button>
    </section>
  );
}
