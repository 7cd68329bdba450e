import { ChevronRight, Clock, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import type { GateEvidence, GateReason } from "../../../../src/contract/documents/quality/gate.ts";
import { GATE_VERDICT_WORDS, STAGE_TABLE } from "../../../../src/contract/words/gate-words.ts";
import { plural } from "../../ui/figures.tsx";
import { VerdictIcon } from "../../ui/gate/verdict.tsx";
import { visibleText } from "../../ui/text/visible-text.ts";
import { EvidenceList } from "./evidence.tsx";
import { isStanding, type Progress, type ShownStage, stageLabel } from "./report-model.ts";
import { reasonWords, scoreText } from "./report-words.ts";

/** Every stage with its score, its weight, and why it has none. What it rests on is folded below it. */
export function StageBars({ stages }: { stages: readonly ShownStage[] }) {
  return (
    <ol aria-label="Stages" className="overflow-hidden rounded-lg border border-line bg-card">
      {stages.map((stage) => (
        <li key={stage.name} className="border-b border-line last:border-b-0">
          <Foldable evidence={stage.evidence}>
            <StageRow stage={stage} />
          </Foldable>
        </li>
      ))}
    </ol>
  );
}

/** A row that opens where there is evidence. */
export function Foldable({ evidence, children }: { evidence: readonly GateEvidence[]; children: ReactNode }) {
  if (evidence.length === 0) return <div className="flex items-start gap-2 py-2 pr-4 pl-9">{children}</div>;
  return (
    <details className="group">
      <summary className="flex list-none items-start gap-2 px-4 py-2 -outline-offset-2 hover:bg-sunk">
        <ChevronRight size={14} aria-hidden className="mt-1 -ml-1 shrink-0 text-faint group-open:rotate-90" />
        {children}
      </summary>
      <EvidenceList evidence={evidence} />
    </details>
  );
}

function StageRow({ stage }: { stage: ShownStage }) {
  const { name, kind, weight, score, verdict, reason, findings } = stage;
  const open = findings.filter(isStanding).length;
  return (
    <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,10rem)_5.5rem_5rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <StageIcon stage={stage} />
          <span className="font-medium">{stageLabel(name)}</span>
          <span className="text-xs text-faint">
            {STAGE_TABLE[name].about}
            {open > 0 && ` ${plural(open, "finding")}.`}
          </span>
        </p>
        {reason !== undefined && <Reason reason={reason} />}
      </div>
      <Bar score={score} isGood={verdict === "pass"} />
      <p className="text-right text-sm font-medium tabular-nums max-sm:col-start-2 max-sm:row-start-1">
        {score === null || verdict === "skipped" ? (
          <span className="font-normal text-faint">{wordOf(stage)}</span>
        ) : (
          <>
            {scoreText(score)}
            <span className="text-xs font-normal text-faint"> / 100</span>
          </>
        )}
      </p>
      <p
        className="text-right text-xs text-faint max-sm:hidden"
        title={kind === "binary" ? "Passes or fails; not part of the score." : "Share of the score."}
      >
        {kind === "binary" ? "pass or fail" : `weight ${weight}`}
      </p>
    </div>
  );
}

const PROGRESS_WORDS: Record<Exclude<Progress, "judged">, string> = { running: "running", waiting: "waiting" };

function wordOf({ progress, verdict }: ShownStage): string {
  if (progress !== "judged") return PROGRESS_WORDS[progress];
  return GATE_VERDICT_WORDS[verdict ?? "unable"].toLowerCase();
}

function StageIcon({ stage: { progress, verdict } }: { stage: ShownStage }) {
  if (progress === "running") return <LoaderCircle size={16} aria-hidden className="shrink-0 animate-spin text-info" />;
  if (progress === "waiting" || verdict === undefined)
    return <Clock size={16} aria-hidden className="shrink-0 text-faint" />;
  return (
    <>
      <VerdictIcon verdict={verdict} />
      <span className="sr-only">{GATE_VERDICT_WORDS[verdict]}: </span>
    </>
  );
}

export function Reason({ reason }: { reason: GateReason }) {
  return (
    <p dir="auto" className="pl-6 text-sm wrap-anywhere text-faint">
      {visibleText(reasonWords(reason))}
    </p>
  );
}

/** The number beside it says the same. */
function Bar({ score, isGood }: { score: number | null; isGood: boolean }) {
  if (score === null) return <span aria-hidden className="max-sm:hidden" />;
  return (
    <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-line max-sm:col-span-2">
      <span
        className={`block h-full ${isGood ? "bg-good" : "bg-bad"}`}
        style={{ width: `${Math.max(0, Math.min(100, score))}%`, minWidth: 2 }}
      />
    </span>
  );
}
