import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { GateReport } from "../../../../src/contract/documents/quality/gate.ts";
import { findingPlace } from "../../../../src/contract/words/review-words.ts";
import { queries } from "../../api/queries.ts";
import { Ago } from "../../ui/figures.tsx";
import { VerdictBadge } from "../../ui/gate/verdict.tsx";
import { Section } from "../../ui/page.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { changeBetween, type PlacedFinding } from "./report-model.ts";
import { scoreText } from "./report-words.ts";

/** So many of the newest are laid side by side. */
const MOST = 4;
const MOST_NAMED = 4;

/** The reports on a task side by side: what each one fixed, and what it brought. */
export function Cycles({ gate }: { gate: GateReport }) {
  const { projectId = "", taskId } = gate;
  const lines = useQuery({
    ...queries.gates(projectId, { ...(taskId === undefined ? {} : { task: taskId }), limit: MOST }),
    enabled: projectId !== "" && taskId !== undefined,
  }).data?.gates;
  const ids = (lines ?? []).map(({ id }) => id).reverse();
  const reports = useQueries({ queries: ids.map((id) => queries.gate(id)) }).flatMap(({ data }) => data?.gate ?? []);
  if (reports.length < 2) return null;
  return (
    <Section title="Cycles" count={reports.length}>
      <ol className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:auto-cols-fr sm:grid-flow-col">
        {reports.map((report, at) => (
          <li key={report.id} className={`min-w-0 px-4 py-3 ${report.id === gate.id ? "bg-accent-soft" : "bg-card"}`}>
            <Cycle report={report} before={reports[at - 1]} isShown={report.id === gate.id} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface CycleProps {
  report: GateReport;
  before: GateReport | undefined;
  isShown: boolean;
}

function Cycle({ report, before, isShown }: CycleProps) {
  const { id, cycle, state, verdict, score, startedAt } = report;
  const { fixed, added, left } = changeBetween(before, report);
  const title = `Cycle ${cycle}`;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {isShown ? (
          <strong aria-current="true">{title}</strong>
        ) : (
          <Link to="/gates/$gateId" params={{ gateId: id }} className="font-semibold underline">
            {title}
          </Link>
        )}
        <VerdictBadge state={state} verdict={verdict} />
        {score !== null && <span className="tabular-nums">{scoreText(score)}</span>}
        <Ago at={startedAt} className="text-xs text-faint" />
      </p>
      <Named title="fixed" tone="text-good" findings={fixed} />
      <Named title={before === undefined ? "open" : "new"} tone="text-bad" findings={added} />
      <Named title="still open" tone="text-warn" findings={left} />
      {fixed.length + added.length + left.length === 0 && <p className="text-faint">No open findings</p>}
    </div>
  );
}

function Named({ title, tone, findings }: { title: string; tone: string; findings: readonly PlacedFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <div className="min-w-0">
      <p className={`font-medium ${tone}`}>
        {findings.length} {title}
      </p>
      <ul className="text-xs">
        {findings.slice(0, MOST_NAMED).map((finding) => (
          <li
            key={`${finding.from} ${finding.id}`}
            className="truncate"
            title={visibleLine(finding.message.slice(0, 300))}
          >
            {findingPlace(finding) !== "" && <code className="text-faint">{visibleLine(findingPlace(finding))} </code>}
            {visibleLine(finding.message.slice(0, 120))}
          </li>
        ))}
        {findings.length > MOST_NAMED && <li className="text-faint">and {findings.length - MOST_NAMED} more</li>}
      </ul>
    </div>
  );
}
