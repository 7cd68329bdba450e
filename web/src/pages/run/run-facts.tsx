import { Link } from "@tanstack/react-router";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { Figure, FigureGrid, Small } from "../../ui/figure-grid.tsx";
import { durationText, Lasting, Money, plural, tokensText } from "../../ui/figures.tsx";
import { isWorthShowing, Meter } from "../../ui/meter.tsx";
import { Counts } from "./diff/changes-bar.tsx";
import { standingWords } from "./standing.ts";

/** How much a run took so far, and what became of it. */
export function RunFacts({ run }: { run: Run }) {
  const { usage, startedAt, endedAt, createdAt, context, model } = run;
  return (
    <FigureGrid label="Figures">
      <Figure name={endedAt === undefined ? "Running for" : "Duration"}>
        {startedAt === undefined ? (
          <span title={`Waiting ${durationText(Date.now() - Date.parse(createdAt))}`}>not started</span>
        ) : (
          <Lasting from={startedAt} to={endedAt} seconds={run.result?.duration} />
        )}
      </Figure>
      <Figure name="Cost">
        <Money usd={usage.costUsd} known={usage.costKnown} />
        <Small>{plural(usage.turns, "turn")}</Small>
      </Figure>
      <Figure name="Tokens">
        {tokensText(usage.inputTokens + usage.outputTokens)}
        <Small>{cachedText(run)}</Small>
      </Figure>
      <Figure name="Context">
        <ContextUsed context={context} />
      </Figure>
      <div className="col-span-full flex flex-wrap gap-x-6 gap-y-1 bg-card px-4 py-2 text-sm">
        <Standing run={run} />
        <span>
          <span className="text-faint">Model </span>
          {model}
        </span>
        {run.status === "running" && <Progress run={run} />}
        {run.reflection !== undefined && run.reflection.wrote.length > 0 && (
          <span>
            <span className="text-faint">Saved to memory: </span>
            <Link to="/projects/$id/library/memory" params={{ id: run.projectId }} className="hover:underline">
              {run.reflection.wrote.join(", ")}
            </Link>
          </span>
        )}
      </div>
    </FigureGrid>
  );
}

/** In one line from the beginning on: what stands below does not move when the first answer comes. */
function ContextUsed({ context }: Pick<Run, "context">) {
  if (context === undefined) return <span className="text-sm font-normal text-faint">nothing sent yet</span>;
  const used = tokensText(context.used);
  if (!isWorthShowing(context))
    return (
      <>
        {used}
        <Small>tokens</Small>
      </>
    );
  const window = tokensText(context.window);
  return (
    <span className="inline-flex items-center gap-2">
      <span>
        {used}
        <Small>of {window}</Small>
      </span>
      <Meter value={context.used} max={context.window} label={`Context: ${used} of ${window} tokens used`} />
    </span>
  );
}

function Progress({ run }: { run: Run }) {
  const percent = Math.round(run.progress * 100);
  return (
    <span className="flex items-center gap-2">
      <span className="text-faint">Turns used</span>
      <Meter value={run.progress} max={1} label={`${percent}% of turns used`} />
      {percent}%
    </span>
  );
}

function Standing({ run }: { run: Run }) {
  const words = standingWords(run);
  const standing = run.delivery;
  if (words === undefined || standing === undefined || standing.state === "working") return null;
  const { files, additions = 0, deletions = 0, next } = standing;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="text-faint">Result</span>
      {words}
      {files !== undefined && files > 0 && <Counts additions={additions} deletions={deletions} />}
      {next !== undefined && (
        <Link to="/runs/$runId" params={{ runId: next }} className="underline">
          Continued by the next run
        </Link>
      )}
    </span>
  );
}

function cachedText({ usage }: Run): string {
  const { inputTokens, cacheReadTokens, outputTokens } = usage;
  const cached = inputTokens > 0 ? Math.round((cacheReadTokens / inputTokens) * 100) : 0;
  return `${tokensText(outputTokens)} out${cached > 0 ? ` · ${cached}% cached` : ""}`;
}
