import type { GateLine } from "../../../../../src/contract/documents/quality/gate.ts";
import { GATE_VERDICT_WORDS, type GateVerdict } from "../../../../../src/contract/words/gate-words.ts";
import { stageLabel } from "../../gate/report-model.ts";
import { scoreText } from "../../gate/report-words.ts";

const GROUNDS: Record<GateVerdict, string> = {
  pass: "bg-good",
  fail: "bg-bad",
  unable: "bg-warn",
  skipped: "bg-line",
};

/** The stages of a report in a glance; in words on hover, and the verdict beside it for everybody. */
export function StageDots({ stages }: Pick<GateLine, "stages">) {
  return (
    <span aria-hidden className="relative z-10 inline-flex gap-0.5">
      {stages.map(({ name, verdict, score }) => (
        <span
          key={name}
          title={`${stageLabel(name)}: ${wordOf(verdict, score)}`}
          className={`h-2.5 w-2 rounded-sm ${verdict === undefined ? "bg-info" : GROUNDS[verdict]}`}
        />
      ))}
    </span>
  );
}

function wordOf(verdict: GateVerdict | undefined, score: number | null): string {
  if (verdict === undefined) return "not judged yet";
  const word = GATE_VERDICT_WORDS[verdict].toLowerCase();
  return score === null || verdict === "skipped" ? word : `${word}, ${scoreText(score)}`;
}
