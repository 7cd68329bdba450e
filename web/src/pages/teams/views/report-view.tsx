import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Team } from "../../../../../src/contract/documents/teams/team.ts";
import type { ForPerson, TeamReport } from "../../../../../src/contract/documents/teams/team-report.ts";
import { deliveryWords } from "../../../../../src/contract/words/delivery-words.ts";
import { GATE_VERDICT_WORDS, GATE_VERDICTS } from "../../../../../src/contract/words/gate-words.ts";
import { FOR_PERSON_WORDS } from "../../../../../src/contract/words/teams/team-choices.ts";
import { hasEnded } from "../../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Lasting, Money, plural } from "../../../ui/figures.tsx";
import { Fact } from "../../../ui/gate/verdict.tsx";
import { Card, Section } from "../../../ui/page.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { CriterionBadge } from "../../../ui/team/team-badges.tsx";
import { capital } from "../../../ui/text/capital.ts";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { DownloadButton } from "../../project/documents/download-button.tsx";

/** First what only the person can judge, then the proof, then the figures. */
export default function ReportView({ team }: { team: Team }) {
  const found = useQuery(queries.teamReport(team.id));
  return (
    <Loaded query={found}>
      {({ report, text }) => (
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center gap-2 text-sm text-faint">
            {!hasEnded(team.status) && <p>The team has not ended. This is how far it is.</p>}
            <span className="ml-auto">
              <DownloadButton file={{ path: `${team.id}.md`, content: text }} />
            </span>
          </div>
          <OnlyYou items={report.forPerson} />
          <LeadWords lead={report.lead} project={team.projectId} />
          <Proof requirements={report.requirements} />
          <Figures report={report} />
        </div>
      )}
    </Loaded>
  );
}

function OnlyYou({ items }: { items: readonly ForPerson[] }) {
  return (
    <Section title="Only you can judge" count={items.length || undefined}>
      {items.length === 0 ? (
        <p className="flex items-center gap-1.5 text-sm text-faint">
          <Check size={14} aria-hidden className="text-good" />
          Nothing was waived, disputed, left out or unproven.
        </p>
      ) : (
        <ul aria-label="Only you can judge" className="overflow-hidden rounded-lg border border-line bg-card">
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
            <li key={at} className="flex items-start gap-2 border-b border-line px-3 py-2 text-sm last:border-b-0">
              <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <Badge tone="warn">{FOR_PERSON_WORDS[item.kind]}</Badge>
                  <bdi className="min-w-0 wrap-anywhere">{visibleLine(item.text)}</bdi>
                </p>
                <Details item={item} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Details({ item: { file, by, reason, gateId } }: { item: ForPerson }) {
  const said = [by === "person" ? "You" : by, reason].filter((part) => part !== undefined && part !== "").join(": ");
  return (
    <p className="flex flex-wrap gap-x-3 text-xs text-faint">
      {file !== undefined && <code className="wrap-anywhere">{visibleLine(file)}</code>}
      {said !== "" && <bdi className="wrap-anywhere">{visibleLine(said)}</bdi>}
      {gateId !== undefined && gateId !== "" && <ReportLink id={gateId} />}
    </p>
  );
}

/** A finding is of a gate or of the integration check. */
function ReportLink({ id }: { id: string }) {
  const look = "text-accent underline";
  return id.startsWith("gate") ? (
    <Link to="/gates/$gateId" params={{ gateId: id }} className={look}>
      Gate report
    </Link>
  ) : (
    <Link to="/integration-checks/$checkId" params={{ checkId: id }} className={look}>
      Integration check
    </Link>
  );
}

function LeadWords({ lead, project }: { lead: TeamReport["lead"]; project: string }) {
  if (lead === undefined) return null;
  return (
    <Section title="Summary">
      <Card className="flex flex-col gap-3 px-4 py-3 text-sm wrap-anywhere">
        <Markdown text={lead.summary} project={project} />
        <Points name="Highlights" points={lead.highlights} />
        <Points name="Risks" points={lead.risks} />
        <Points name="Follow-ups" points={lead.followUps} />
      </Card>
    </Section>
  );
}

function Points({ name, points }: { name: string; points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <div>
      <h3 className="text-xs font-semibold text-faint">{name}</h3>
      <ul className="list-disc pl-4">
        {points.map((point) => (
          <li key={point} dir="auto">
            {visibleLine(point)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Proof({ requirements }: Pick<TeamReport, "requirements">) {
  if (requirements.length === 0) return null;
  const met = requirements.filter((requirement) => requirement.met).length;
  return (
    <Section
      title="Requirements"
      actions={
        <span className="text-xs text-faint">
          {met} of {requirements.length} met
        </span>
      }
    >
      <ul aria-label="Proof" className="overflow-hidden rounded-lg border border-line bg-card">
        {requirements.map(({ id, text, criteria }) => (
          <li key={id} className="border-b border-line px-3 py-2 text-sm last:border-b-0">
            <p className="wrap-anywhere">
              <span className="mr-2 font-mono text-xs text-faint">{id}</span>
              <bdi className="font-medium">{visibleLine(text)}</bdi>
            </p>
            <ul className="mt-1 flex flex-col gap-1">
              {criteria.map((criterion) => (
                <li key={criterion.id} className="flex items-start gap-2">
                  <span className="shrink-0">
                    <CriterionBadge state={criterion.state} />
                  </span>
                  <span className="min-w-0 wrap-anywhere">
                    <bdi>{visibleLine(criterion.text)}</bdi>
                    {criterion.evidence !== undefined && (
                      <bdi className="text-faint"> · {visibleLine(criterion.evidence)}</bdi>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Figures({ report }: { report: TeamReport }) {
  const { gates, integration, cost, delivery, tasks, startedAt, endedAt } = report;
  const merged = tasks.filter(({ state }) => state === "merged").length;
  return (
    <Section title="Totals">
      <Card className="px-4 py-3">
        <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          <Fact name="Tasks">
            {merged} of {tasks.length} merged
          </Fact>
          <Fact name="Gates">{gatesText(gates)}</Fact>
          {integration !== undefined && (
            <Fact name="Integration">
              <Linked to={integration.checkId}>{verdictWord(integration.verdict)}</Linked>
              {integration.rounds > 0 && `, ${plural(integration.rounds, "repair round")}`}
            </Fact>
          )}
          <Fact name="Cost">
            <Money usd={cost.usd} known={cost.known} />
          </Fact>
          <Fact name="Took">
            <Lasting from={startedAt} to={endedAt} />
          </Fact>
          {delivery !== undefined && (
            <Fact name="Delivery">
              <Link
                to="/runs/$runId"
                params={{ runId: delivery.runId }}
                search={{ view: "changes" }}
                className="text-accent underline"
              >
                {capital(deliveryWords({ kind: "branch", state: delivery.state }))}
              </Link>{" "}
              <span className="text-faint wrap-anywhere">into {visibleLine(delivery.target)}</span>
            </Fact>
          )}
        </dl>
      </Card>
    </Section>
  );
}

function verdictWord(verdict: string): string {
  const known = GATE_VERDICTS.find((each) => each === verdict);
  return known === undefined ? "Checking" : GATE_VERDICT_WORDS[known];
}

function gatesText({ judged, passed, failed, unable, cycles }: TeamReport["gates"]): string {
  if (judged === 0) return "none";
  const parts = [`${passed} passed`, failed > 0 && `${failed} failed`, unable > 0 && `${unable} not judged`];
  return `${parts.filter(Boolean).join(", ")}${cycles > 1 ? `, up to ${cycles} cycles` : ""}`;
}

function Linked({ to: checkId, children }: { to: string; children: ReactNode }) {
  return (
    <Link to="/integration-checks/$checkId" params={{ checkId }} className="text-accent underline">
      {children}
    </Link>
  );
}
