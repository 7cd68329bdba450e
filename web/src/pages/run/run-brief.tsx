import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { Lasting, Money, plural, tokensText } from "../../ui/figures.tsx";
import { runsOfTask } from "./family-model.ts";
import { RunFacts } from "./run-facts.tsx";
import { RunFamily } from "./run-family.tsx";
import { standingWords } from "./standing.ts";

/** What a run took and belongs to, in a line: whoever decides about its result looks at that first. */
export function RunBrief({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span>{standingWords(run)}</span>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="-ml-1 flex min-h-6 items-center gap-1 rounded px-1 text-left text-xs text-faint tabular-nums hover:text-ink sm:ml-auto"
        >
          <ChevronRight size={14} aria-hidden className={`shrink-0 ${isOpen ? "rotate-90" : ""}`} />
          <span>
            <Took run={run} />
          </span>
        </button>
      </div>
      {isOpen && (
        <>
          <RunFacts run={run} />
          <RunFamily run={run} />
        </>
      )}
    </>
  );
}

function Took({ run }: { run: Run }) {
  const { usage, startedAt, createdAt, endedAt } = run;
  const runs = useQuery(runsOfTask(run)).data?.runs.length ?? 0;
  return (
    <>
      Took <Lasting from={startedAt ?? createdAt} to={endedAt} seconds={run.result?.duration} />
      {" · "}
      <Money usd={usage.costUsd} known={usage.costKnown} />
      {` · ${plural(usage.turns, "turn")} · ${tokensText(usage.inputTokens + usage.outputTokens)} tokens`}
      {runs > 1 && ` · ${plural(runs, "run")} of this task`}
    </>
  );
}
