import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { IntegrationCheck } from "../../../../src/contract/documents/quality/integration-check.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Ago, Lasting, plural } from "../../ui/figures.tsx";
import { Fact, VerdictBadge, VerdictBanner, VerdictIcon } from "../../ui/gate/verdict.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { checkTitle } from "../project/gates/integration-checks.tsx";
import { FindingList } from "./finding-list.tsx";
import { isStanding, type PlacedFinding, worstFirst } from "./report-model.ts";
import { integrationOutcome, stepLabel } from "./report-words.ts";
import { Foldable, Reason } from "./stage-bars.tsx";
import { WaiveDialog } from "./waive-dialog.tsx";

export default function IntegrationPage() {
  const { checkId } = useParams({ from: "/integration-checks/$checkId" });
  const found = useQuery(queries.integrationCheck(checkId));
  const check = found.data?.check;
  return (
    <Page
      title={check === undefined ? "Integration check" : visibleLine(checkTitle(check))}
      lead={
        check !== undefined && (
          <span className="mt-1 flex flex-wrap gap-x-3">
            <span>Integration check</span>
            <Link to="/projects/$id/work/gates" params={{ id: check.projectId }} className="hover:underline">
              <ProjectName id={check.projectId} />
            </Link>
          </span>
        )
      }
    >
      <Loaded query={found} loading={<Loading lines={8} />}>
        {({ check: shown }) => <Report key={shown.id} check={shown} />}
      </Loaded>
    </Page>
  );
}

function Report({ check }: { check: IntegrationCheck }) {
  const findings = useMemo(() => worstFirst(check.steps, stepLabel), [check]);
  const [waived, setWaived] = useState<PlacedFinding>();
  return (
    <>
      <VerdictBanner state={check.state} verdict={check.verdict} sentence={integrationOutcome(check)}>
        <Fact name="Target">
          <code className="text-xs break-all">{visibleLine(check.target)}</code>
        </Fact>
        {check.runIds.length > 0 && <Fact name="Results">{check.runIds.length}</Fact>}
        <Fact name="Took">
          <Lasting from={check.startedAt} to={check.endedAt} />
        </Fact>
        <Fact name={check.endedAt === undefined ? "Started" : "Ended"}>
          <Ago at={check.endedAt ?? check.startedAt} />
        </Fact>
      </VerdictBanner>
      <Section title="Steps">
        <ol aria-label="Steps" className="overflow-hidden rounded-lg border border-line bg-card">
          {check.steps.map((step) => (
            <li key={step.name} className="border-b border-line last:border-b-0">
              <Foldable evidence={step.evidence}>
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-x-2">
                    <VerdictIcon verdict={step.verdict} />
                    <span className="font-medium">{stepLabel(step.name)}</span>
                    <VerdictBadge state="finished" verdict={step.verdict} />
                    {step.findings.some(isStanding) && (
                      <span className="text-xs text-faint">
                        {plural(step.findings.filter(isStanding).length, "finding")}
                      </span>
                    )}
                  </p>
                  {step.reason !== undefined && <Reason reason={step.reason} />}
                </div>
              </Foldable>
            </li>
          ))}
        </ol>
      </Section>
      <Breakers check={check} />
      <FindingList findings={findings} isRunning={check.state === "running"} onWaive={setWaived} />
      {waived !== undefined && <Waive check={check} finding={waived} onClose={() => setWaived(undefined)} />}
    </>
  );
}

/** Whose changes broke the whole, by blame. */
function Breakers({ check: { breakers } }: { check: IntegrationCheck }) {
  if (breakers.length === 0) return null;
  return (
    <Section title="Caused by" count={breakers.length}>
      <ul className="overflow-hidden rounded-lg border border-line bg-card text-sm">
        {breakers.map(({ runId, commit, findings }) => (
          <li key={commit} className="flex flex-wrap gap-x-3 border-b border-line px-3 py-2 last:border-b-0">
            <code className="text-xs">{commit.slice(0, 12)}</code>
            {runId !== undefined && (
              <Link to="/runs/$runId" params={{ runId }} search={{ view: "changes" }} className="underline">
                Open the run
              </Link>
            )}
            <span className="text-faint">{plural(findings.length, "finding")}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface WaiveProps {
  check: IntegrationCheck;
  finding: PlacedFinding;
  onClose: () => void;
}

function Waive({ check, finding, onClose }: WaiveProps) {
  const waive = useAct("waiveIntegrationFinding", { done: "Finding waived.", onDone: onClose, onFailure: shownInline });
  return (
    <WaiveDialog
      finding={finding}
      busy={waive.isPending}
      error={waive.error}
      onWaive={(reason) => waive.mutate({ params: { id: check.id }, body: { findingId: finding.id, reason } })}
      onClose={onClose}
    />
  );
}
