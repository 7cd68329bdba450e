import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { BriefItem, Briefing } from "../../../../src/contract/documents/autonomy/briefing.ts";
import {
  BRIEFING_SECTIONS,
  type BriefingSection,
  RISK_WORDS,
} from "../../../../src/contract/words/autonomy/briefing-words.ts";
import { TEAM_STATUS_WORDS } from "../../../../src/contract/words/teams/team-phrases.ts";
import { code } from "../../api/code.ts";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Figure, FigureGrid } from "../../ui/figure-grid.tsx";
import { countText, Money, plural } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";

const AnswerInPlace = lazy(code(() => import("./answer-in-place.tsx")));

const TITLES: Record<BriefingSection, string> = {
  decisions: "Decisions",
  blockers: "Blockers",
  questions: "Questions",
  approvals: "Approvals",
};

/** One day: what was done and spent, what is at risk, what needs the person, and what stays open. */
export default function BriefingView({ day }: { day: string | undefined }) {
  const briefing = useQuery(queries.briefing(day ?? "today"));
  return <Loaded query={briefing}>{(data) => <Shown briefing={data.briefing} />}</Loaded>;
}

function Shown({ briefing }: { briefing: Briefing }) {
  const { done, spent, risks, learned, needs, stillTrue, summary, isEmpty } = briefing;
  return (
    <div className="flex flex-col gap-6">
      <Days briefing={briefing} />
      {summary !== undefined && <p className="max-w-prose">{summary}</p>}
      {isEmpty ? (
        <Empty title="Nothing happened, and nothing is waiting for you.">
          Runs, merges, costs and questions of the day appear here.
        </Empty>
      ) : (
        <FigureGrid label="The day">
          <Figure name="Runs completed · failed">
            <span className="text-good">{countText(done.counts.completed)}</span> ·{" "}
            <span className={done.counts.failed > 0 ? "text-bad" : ""}>{countText(done.counts.failed)}</span>
          </Figure>
          <Figure name="Tasks done">{countText(done.counts.tasks)}</Figure>
          <Figure name="Results merged">{countText(done.counts.merges)}</Figure>
          <Figure name="Spent">
            <Money usd={spent.costUsd} known={spent.costKnown} />
          </Figure>
        </FigureGrid>
      )}
      {BRIEFING_SECTIONS.filter((name) => needs[name].count > 0).map((name) => (
        <Section key={name} title={TITLES[name]} count={needs[name].count}>
          <Rows label={TITLES[name]}>
            {needs[name].items.map((item) => (
              <NeedRow key={item.id} item={item} />
            ))}
          </Rows>
        </Section>
      ))}
      {risks.length > 0 && (
        <Section title="At risk" count={risks.length}>
          <Rows label="At risk">
            {risks.map(({ kind, id, link, projectId, text }) => (
              <Row key={`${kind} ${id} ${text}`} link={link} title={text} projectId={projectId}>
                <Badge tone="warn">{RISK_WORDS[kind]}</Badge>
              </Row>
            ))}
          </Rows>
        </Section>
      )}
      <Done done={done} />
      {learned.length > 0 && (
        <Section title="Learned" count={learned.length}>
          <Rows label="Learned">
            {learned.map(({ id, link, projectId, text }) => (
              <Row key={`${projectId} ${id}`} link={link} title={text} projectId={projectId} />
            ))}
          </Rows>
        </Section>
      )}
      <StillTrue open={stillTrue} />
    </div>
  );
}

function Days({ briefing: { day, timezone, from, until } }: { briefing: Briefing }) {
  const other = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  const clock = (at: string) =>
    new Date(at).toLocaleString(undefined, { timeZone: timezone, dateStyle: "medium", timeStyle: "short" });
  const isPast = Date.now() > Date.parse(until) + 86_400_000;
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-faint">
      <span>
        {clock(from)} to {clock(until)} ({timezone})
      </span>
      <Link to="/" search={{ view: "briefing", day: other(-1) }} className="text-accent underline">
        Previous day
      </Link>
      {isPast && (
        <Link to="/" search={{ view: "briefing" }} className="text-accent underline">
          Today
        </Link>
      )}
    </div>
  );
}

function NeedRow({ item }: { item: BriefItem }) {
  const [isAnswering, setAnswering] = useState(false);
  const { tag, question, suggested, blocks, details, link } = item;
  return (
    <li className="flex flex-col gap-1 border-b border-line px-3 py-2.5 last:border-b-0">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <span className="text-faint">{tag}</span>{" "}
          <a href={link} className="font-medium hover:underline">
            <bdi>{visibleLine(question)}</bdi>
          </a>
        </p>
        <Button size="small" aria-expanded={isAnswering} onClick={() => setAnswering(!isAnswering)}>
          {isAnswering ? "Close" : "Answer"}
        </Button>
      </div>
      {suggested !== undefined && (
        <p className="text-sm wrap-anywhere">
          Suggested: <strong className="font-medium">{visibleLine(suggested.label)}</strong>
          {suggested.reason !== "" && <span className="text-faint"> ({visibleLine(suggested.reason)})</span>}
        </p>
      )}
      {blocks !== undefined && (
        <p className="text-sm text-faint wrap-anywhere">
          {blocks.kind === "task"
            ? `Blocks ${blocks.taskId}: ${visibleLine(blocks.title)}`
            : "Blocks the entire initiative"}
        </p>
      )}
      {details !== undefined && (
        <a href={details} className="text-sm text-accent underline">
          View details
        </a>
      )}
      {isAnswering && (
        <Suspense fallback={<Loading lines={2} />}>
          <AnswerInPlace id={item.id} />
        </Suspense>
      )}
    </li>
  );
}

function Done({ done: { runs, merges, teams, tasks } }: { done: Briefing["done"] }) {
  const merged = new Set(merges.map(({ id }) => id));
  const worked = new Set(runs.map(({ projectId, taskId }) => `${projectId} ${taskId}`));
  const others = runs.filter(({ id, status }) => status === "completed" && !merged.has(id));
  const alone = tasks.filter(({ projectId, id }) => !worked.has(`${projectId} ${id}`));
  const count = teams.length + merges.length + others.length + alone.length;
  if (count === 0) return null;
  return (
    <Section title="Done" count={count}>
      <Rows label="Done">
        {teams.map(({ id, link, projectId, name, status }) => (
          <Row key={id} link={link} title={`Team ${name}`} projectId={projectId}>
            <Badge tone={status === "completed" ? "good" : "bad"}>{TEAM_STATUS_WORDS[status]}</Badge>
          </Row>
        ))}
        {merges.map(({ id, link, projectId, taskId, title, target, commit, files }) => (
          <Row
            key={id}
            link={link}
            title={title}
            projectId={projectId}
            detail={[taskId, commit && `${commit.slice(0, 10)} in ${target}`, files && plural(files, "file")]}
          >
            <Badge tone="good">{commit === undefined ? "Accepted" : "Merged"}</Badge>
          </Row>
        ))}
        {others.map(({ id, link, projectId, taskId, title, delivery }) => (
          <Row key={id} link={link} title={title} projectId={projectId} detail={[taskId]}>
            <Badge tone={delivery === "review" ? "info" : "good"}>
              {delivery === "review" ? "In review" : "Completed"}
            </Badge>
          </Row>
        ))}
        {alone.map(({ id, link, projectId, title }) => (
          <Row key={`${projectId} ${id}`} link={link} title={title} projectId={projectId} detail={[id]}>
            <Badge tone="good">Done</Badge>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

function StillTrue({ open: { grants, running, branches, skipped } }: { open: Briefing["stillTrue"] }) {
  const count = grants.count + running.count + branches.count + skipped.count;
  if (count === 0) return null;
  return (
    <Section title="Still true" count={count}>
      <Rows label="Still true">
        {grants.items.map(({ id, link, projectId, text, scope }) => (
          <Row key={id} link={link} title={text} projectId={projectId} detail={[scope]}>
            <Badge tone="warn">Permission</Badge>
          </Row>
        ))}
        {running.items.map(({ id, link, projectId, title, waitingFor }) => (
          <Row
            key={id}
            link={link}
            title={title}
            projectId={projectId}
            detail={[waitingFor && `waiting for ${waitingFor}`]}
          >
            <Badge tone="info">Running</Badge>
          </Row>
        ))}
        {branches.items.map(({ id, link, projectId, title, branch }) => (
          <Row key={id} link={link} title={title} projectId={projectId} detail={[branch]}>
            <Badge tone="info">Unmerged</Badge>
          </Row>
        ))}
        {skipped.items.map(({ id, link, projectId, text, at }) => (
          <Row key={`${id} ${at}`} link={link} title={text} projectId={projectId}>
            <Badge tone="warn">Skipped</Badge>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-lg border border-line bg-card">
      {children}
    </ul>
  );
}

interface RowProps {
  link: string;
  title: string;
  projectId: string | undefined;
  detail?: readonly (string | number | undefined)[];
  children?: ReactNode;
}

function Row({ link, title, projectId, detail = [], children }: RowProps) {
  const more = [projectId, ...detail].filter((part) => part !== undefined && part !== "" && part !== 0);
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-b-0">
      <a href={link} className="min-w-0 flex-1 basis-56 wrap-anywhere hover:underline">
        <bdi>{visibleLine(title)}</bdi>
      </a>
      <span className="text-xs text-faint wrap-anywhere">{more.join(" · ")}</span>
      {children}
    </li>
  );
}
