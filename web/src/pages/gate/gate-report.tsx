import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { GateReport } from "../../../../src/contract/documents/quality/gate.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Ago, Lasting, Money, plural } from "../../ui/figures.tsx";
import { Fact, VerdictBanner } from "../../ui/gate/verdict.tsx";
import { Section } from "../../ui/page.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { Counts } from "../run/diff/changes-bar.tsx";
import { Cycles } from "./cycles.tsx";
import { FindingList } from "./finding-list.tsx";
import { GateActions } from "./gate-actions.tsx";
import { findingsOf, type PlacedFinding, shownStages } from "./report-model.ts";
import { outcomeWords, scoreText } from "./report-words.ts";
import { StageBars } from "./stage-bars.tsx";
import { WaiveDialog } from "./waive-dialog.tsx";

/** A whole report: the verdict, the stages with their evidence, the cycles, and every finding. */
export function GateReportView({ gate }: { gate: GateReport }) {
  const findings = useMemo(() => findingsOf(gate), [gate]);
  const stages = useMemo(() => shownStages(gate), [gate]);
  const [waived, setWaived] = useState<PlacedFinding>();
  return (
    <>
      <VerdictBanner
        state={gate.state}
        verdict={gate.verdict}
        sentence={outcomeWords(gate)}
        actions={<GateActions gate={gate} />}
      >
        <Facts gate={gate} />
      </VerdictBanner>
      {gate.cut.length > 0 && <LeftOut parts={gate.cut} />}
      <Section title="Stages">
        <StageBars stages={stages} />
      </Section>
      <Cycles gate={gate} />
      <FindingList
        findings={findings}
        runId={gate.runId}
        isRunning={gate.state === "running"}
        onWaive={gate.state === "running" ? undefined : setWaived}
      />
      {waived !== undefined && <Waive gate={gate} finding={waived} onClose={() => setWaived(undefined)} />}
    </>
  );
}

function Facts({ gate }: { gate: GateReport }) {
  const { score, threshold, cycle, files, additions, deletions, costUsd, startedAt, endedAt, base, head, tree } = gate;
  return (
    <>
      <Fact name="Score">
        <strong>{score === null ? "none" : scoreText(score)}</strong>
        <span className="text-faint"> of {scoreText(threshold)} required</span>
      </Fact>
      <Fact name="Cycle">{cycle}</Fact>
      <Fact name="Change">
        {plural(files, "file")} <Counts additions={additions} deletions={deletions} />
      </Fact>
      <Fact name="Took">
        <Lasting from={startedAt} to={endedAt} />
      </Fact>
      <Fact name="Cost">
        <Money usd={costUsd} />
      </Fact>
      <Fact name={endedAt === undefined ? "Started" : "Ended"}>
        <Ago at={endedAt ?? startedAt} />
      </Fact>
      <Fact name="Judged">
        <span title={`Base ${base}, tree ${tree}. The verdict is valid for this tree alone.`}>
          <code className="text-xs">{base.slice(0, 8)}</code> to{" "}
          {head === undefined ? "uncommitted changes" : <code className="text-xs">{head.slice(0, 8)}</code>}
        </span>
      </Fact>
      {gate.runId !== undefined && (
        <Fact name="Run">
          <Link to="/runs/$runId" params={{ runId: gate.runId }} search={{ view: "changes" }} className="underline">
            Open changes
          </Link>
        </Fact>
      )}
    </>
  );
}

const MOST_PARTS = 20;

function LeftOut({ parts }: { parts: readonly string[] }) {
  return (
    <p className="rounded-lg bg-warn-soft px-4 py-2 text-sm wrap-anywhere">
      <strong className="text-warn">Not everything was looked at.</strong>{" "}
      {parts.slice(0, MOST_PARTS).map(visibleLine).join(" ")}
      {parts.length > MOST_PARTS && ` And ${parts.length - MOST_PARTS} more.`}
    </p>
  );
}

function Waive({ gate, finding, onClose }: { gate: GateReport; finding: PlacedFinding; onClose: () => void }) {
  const waive = useAct("waiveFinding", { done: "Finding waived.", onDone: onClose, onFailure: shownInline });
  return (
    <WaiveDialog
      finding={finding}
      busy={waive.isPending}
      error={waive.error}
      onWaive={(reason) => waive.mutate({ params: { id: gate.id }, body: { findingId: finding.id, reason } })}
      onClose={onClose}
    />
  );
}
