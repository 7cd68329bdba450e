import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Lead } from "../../../../src/contract/documents/autonomy/lead.ts";
import type { InitiativeDetail } from "../../../../src/contract/routes/autonomy/initiative-routes.ts";
import { reportText } from "../../../../src/contract/words/autonomy/lead-text.ts";
import { isLeading, LEAD_STATUS_WORDS } from "../../../../src/contract/words/autonomy/lead-words.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Money } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { useProjectId } from "./project-id.ts";

const FRONTMATTER = /^---\r?\n[\s\S]*?\n---\r?\n/;
const BADGES = { active: "Active", paused: "Paused", complete: "Complete" } as const;

/** One initiative: its plan, what is ready, and who leads it. */
export default function InitiativePage() {
  const id = useProjectId();
  const { slug = "" } = useParams({ strict: false });
  const found = useQuery(queries.initiative(id, slug));
  const leads = useQuery(queries.leads(id, slug));
  return (
    <Loaded query={found}>
      {({ initiative }) => (
        <div className="flex min-w-0 flex-col gap-5">
          <Head id={id} initiative={initiative} lead={leads.data?.leads[0]} />
          <div className="grid min-w-0 items-start gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
            <div className="flex min-w-0 flex-col gap-5">
              <Section title="Plan">
                <Card className="min-w-0 overflow-x-auto px-4 py-3 text-sm">
                  <Markdown text={initiative.plan.replace(FRONTMATTER, "")} project={id} />
                </Card>
              </Section>
              <Reports leads={leads.data?.leads ?? []} />
            </div>
            <div className="flex min-w-0 flex-col gap-5">
              <LeadNow id={id} lead={leads.data?.leads[0]} />
              <Ready id={id} ready={initiative.ready} />
              <Briefing id={id} slug={slug} />
            </div>
          </div>
        </div>
      )}
    </Loaded>
  );
}

interface Shown {
  id: string;
  initiative: InitiativeDetail;
  lead: Lead | undefined;
}

function Head({ id, initiative, lead }: Shown) {
  const { slug, title, status, tasks } = initiative;
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <Link to="/projects/$id" params={{ id }} className="text-xs text-faint hover:underline">
          Initiatives
        </Link>
        <h2 className="text-lg font-semibold">
          <bdi>{title}</bdi>
        </h2>
        <p className="text-sm text-faint">
          {BADGES[status]} · {tasks.total === 0 ? "no tasks yet" : `${tasks.done} of ${tasks.total} tasks done`} ·{" "}
          {slug}
        </p>
      </div>
      <Actions id={id} initiative={initiative} lead={lead} />
    </header>
  );
}

function Actions({ id, initiative: { slug, status }, lead }: Shown) {
  const start = useAct("startLead", { done: "Lead started." });
  const stop = useAct("stopLead", { done: "Lead stopped." });
  const move = useAct("updateInitiative");
  const params = { id, slug };
  const isLed = lead !== undefined && isLeading(lead.status);
  const to = (wanted: "active" | "paused" | "complete") => () => move.mutate({ params, body: { status: wanted } });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isLed && (
        <Button kind="danger" busy={stop.isPending} onClick={() => stop.mutate({ params })}>
          Stop lead
        </Button>
      )}
      {!isLed && status === "active" && (
        <Button kind="primary" busy={start.isPending} onClick={() => start.mutate({ params, body: {} })}>
          Start lead
        </Button>
      )}
      {status === "active" ? (
        <>
          <Button busy={move.isPending} onClick={to("paused")}>
            Pause
          </Button>
          <Button busy={move.isPending} onClick={to("complete")}>
            Mark as complete
          </Button>
        </>
      ) : (
        <Button busy={move.isPending} onClick={to("active")}>
          {status === "paused" ? "Resume" : "Reopen"}
        </Button>
      )}
    </div>
  );
}

function LeadNow({ id, lead }: { id: string; lead: Lead | undefined }) {
  return (
    <Section title="Lead">
      <Card className="flex flex-col gap-1.5 px-4 py-3 text-sm">
        {lead === undefined ? (
          <p className="text-faint">No one has led this initiative yet.</p>
        ) : (
          <>
            <p className="font-medium" role="status">
              {LEAD_STATUS_WORDS[lead.status]}
            </p>
            {lead.error !== undefined && <p className="text-bad">{lead.error}</p>}
            <p className="text-xs text-faint">
              {lead.rounds === 1 ? "1 round" : `${lead.rounds} rounds`} · {lead.runs.length}{" "}
              {lead.runs.length === 1 ? "run" : "runs"} · <Money usd={lead.costUsd} known />
            </p>
            <div className="flex flex-wrap gap-2">
              {lead.runs.length > 0 && (
                <Link to="/projects/$id/work" params={{ id }} className={buttonLook({ size: "small" })}>
                  Show runs
                </Link>
              )}
              <Link to="/projects/$id/talk" params={{ id }} className={buttonLook({ size: "small" })}>
                Open Talk
              </Link>
            </div>
          </>
        )}
      </Card>
    </Section>
  );
}

function Ready({ id, ready }: { id: string; ready: InitiativeDetail["ready"] }) {
  return (
    <Section title="Ready tasks" count={ready.length}>
      {ready.length === 0 ? (
        <p className="text-sm text-faint">None.</p>
      ) : (
        <Card>
          <ol aria-label="Ready tasks">
            {ready.slice(0, 10).map((task) => (
              <li key={task.id} className="border-b border-line px-4 py-2 text-sm last:border-b-0">
                <Link to="/projects/$id/board" params={{ id }} search={{ task: task.id }} className="hover:underline">
                  {task.id} <bdi>{task.title}</bdi>
                </Link>{" "}
                <span className="text-xs text-faint">{task.priority}</span>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </Section>
  );
}

function Briefing({ id, slug }: { id: string; slug: string }) {
  const found = useQuery(queries.leadBriefing(id, slug));
  return (
    <Section title="Briefing for the next lead">
      <Loaded query={found}>
        {({ briefing }) => <Card className="px-4 py-3 text-sm break-words whitespace-pre-wrap">{briefing.text}</Card>}
      </Loaded>
    </Section>
  );
}

function Reports({ leads }: { leads: readonly Lead[] }) {
  const reported = leads.flatMap((lead) => (lead.report === undefined ? [] : [{ lead, report: lead.report }]));
  return (
    <Section title="Reports" count={reported.length}>
      {reported.length === 0 ? (
        <p className="text-sm text-faint">None yet. A lead reports when nothing is left to do.</p>
      ) : (
        reported.map(({ lead, report }) => (
          <Card key={lead.id} className="px-4 py-3 text-sm break-words whitespace-pre-wrap">
            {reportText(lead, report)}
          </Card>
        ))
      )}
    </Section>
  );
}
