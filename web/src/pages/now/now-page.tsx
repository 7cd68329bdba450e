import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { Now } from "../../../../src/contract/now.ts";
import type { ModelsReport } from "../../../../src/contract/routes/model-routes.ts";
import { code } from "../../api/code.ts";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Figure, FigureGrid, Small } from "../../ui/figure-grid.tsx";
import { countText, Money, moneyText, plural, tokensText } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";
import { needsWords } from "../../ui/needs-words.ts";
import { Page, Section } from "../../ui/page.tsx";
import { RunRows } from "../../ui/run/run-row.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { SubTabs, subTabLook } from "../../ui/sub-tabs.tsx";
import { AttentionList } from "./attention-list.tsx";
import { OrchestratorLine } from "./orchestrator-line.tsx";
import { ReviewOffer } from "./review-offer.tsx";

const BriefingView = lazy(code(() => import("./briefing-view.tsx")));
const Welcome = lazy(code(() => import("./welcome.tsx")));
const StopEverything = lazy(code(() => import("../runs/stop-everything.tsx")));

/** So many of what needs the person; the inbox has all. */
const FIRST = 5;

/** The hall at a glance, grouped by what the person has to do about it. */
export function NowPage() {
  const now = useQuery(queries.now());
  const { view, day } = useSearch({ strict: false });
  const isBriefing = view === "briefing";
  return (
    <Page
      title="Now"
      lead={now.data && <Summary now={now.data} />}
      actions={now.data?.counts.projects === 0 ? undefined : <Actions />}
    >
      {now.data?.counts.projects !== 0 && <Views />}
      {isBriefing ? (
        <Suspense fallback={<Loading lines={5} />}>
          <BriefingView day={day} />
        </Suspense>
      ) : (
        <Loaded query={now}>{(data) => <Groups now={data} />}</Loaded>
      )}
    </Page>
  );
}

const EXACT = { exact: true, includeSearch: true } as const;

function Views() {
  return (
    <SubTabs label="Views of now">
      <Link to="/" activeOptions={EXACT} className={subTabLook}>
        Now
      </Link>
      <Link to="/" search={{ view: "briefing" }} activeOptions={{ includeSearch: true }} className={subTabLook}>
        Briefing
      </Link>
    </SubTabs>
  );
}

function Actions() {
  return (
    <>
      <Button onClick={() => showPanel("chat")}>Talk</Button>
      <Button onClick={() => showPanel("start-team")}>Start a team</Button>
      <Button kind="primary" onClick={() => showPanel("new-task")} title="Press c">
        New task
      </Button>
    </>
  );
}

function Summary({ now: { counts, checking } }: { now: Now }) {
  const parts = [
    ...needsWords(counts),
    checking.length > 0 && `${checking.length} being checked`,
    counts.running > 0 && `${plural(counts.running, "agent")} running`,
    counts.waiting > 0 && `${counts.waiting} waiting`,
    counts.pending > 0 && `${counts.pending} queued`,
  ].filter(Boolean);
  if (counts.running + counts.pending + counts.waiting === 0) parts.push("No agents running");
  if (counts.projects > 0) parts.push(plural(counts.projects, "project"));
  return <span>{parts.join(" · ")}</span>;
}

function Groups({ now }: { now: Now }) {
  const { needsMe, review, checking, working, done, counts } = now;
  if (counts.projects === 0)
    return (
      <Suspense fallback={<Loading lines={3} />}>
        <Welcome />
      </Suspense>
    );
  const isQuiet = needsMe.length + review.length + checking.length + working.length === 0;
  return (
    <div className="flex flex-col gap-6">
      <Today now={now} />
      <OfflineOnly />
      <OrchestratorLine />
      <ReviewOffer projects={now.reviewOffer} />
      {needsMe.length > 0 && (
        <Section title="Needs you" count={counts.needsMe} actions={<InboxLink />}>
          <AttentionList items={needsMe.slice(0, FIRST)} />
          {counts.needsMe > FIRST && (
            <Link to="/inbox" className="text-sm text-accent underline">
              {counts.needsMe - FIRST} more in the inbox
            </Link>
          )}
        </Section>
      )}
      {review.length > 0 && (
        <Section title="In review" count={counts.review}>
          <RunRows runs={review} label="In review" />
        </Section>
      )}
      {checking.length > 0 && (
        <Section title="Quality gates" count={checking.length}>
          <RunRows runs={checking} label="Quality gates" />
        </Section>
      )}
      {working.length > 0 && (
        <Section
          title="Running"
          count={counts.running + counts.pending}
          actions={
            <Suspense>
              <StopEverything size="small" />
            </Suspense>
          }
        >
          <RunRows runs={working} label="Running" />
        </Section>
      )}
      {isQuiet && <Quiet />}
      {done.length > 0 && (
        <Section title="Recent">
          <RunRows runs={done} label="Recent" />
        </Section>
      )}
    </div>
  );
}

function InboxLink() {
  return (
    <Link to="/inbox" title="Press g i" className={buttonLook({ size: "small" })}>
      Open the inbox
    </Link>
  );
}

/** Has its key, or needs none. */
function isUsable({ key, keyNames }: ModelsReport["providers"][number]): boolean {
  return keyNames === undefined || key;
}

/** As long as nothing but the built-in model answers, which a newcomer would otherwise take for a poor one. */
function OfflineOnly() {
  const { data } = useQuery(queries.models());
  if (data === undefined || !data.default.startsWith("offline/") || data.providers.some(isUsable)) return null;
  return (
    <p className="rounded-lg border border-line bg-warn-soft px-4 py-2 text-sm">
      <strong className="font-medium text-warn">You're on the offline demo model.</strong> Add an API key to run real
      agents.{" "}
      <Link to="/settings" search={{ section: "models" }} className="text-accent underline">
        Add a key
      </Link>
    </p>
  );
}

function Quiet() {
  return (
    <Empty
      title="You're all caught up."
      action={
        <Button kind="primary" onClick={() => showPanel("start-agent")}>
          Start an agent
        </Button>
      }
    >
      No agents are running, and nothing needs you.
    </Empty>
  );
}

/** What today came to so far. */
function Today({ now: { today } }: { now: Now }) {
  return (
    <FigureGrid label="Today">
      <Figure name="Spent today">
        <Link to="/costs" className="hover:underline">
          <Money usd={today.costUsd} known={today.costKnown} />
        </Link>
        {today.dayUsd !== null && (
          <>
            <Small>of {moneyText(today.dayUsd)}</Small>
            <span className="block">
              <Meter
                wide
                value={today.costUsd}
                max={today.dayUsd}
                label={`${moneyText(today.costUsd, today.costKnown)} of ${moneyText(today.dayUsd)} spent today`}
              />
            </span>
          </>
        )}
      </Figure>
      <Figure name="Runs today">{countText(today.runs)}</Figure>
      <Figure name={today.stopped > 0 ? "Completed · failed · stopped" : "Completed · failed"}>
        <span className="text-good">{countText(today.completed)}</span> ·{" "}
        <span className={today.failed > 0 ? "text-bad" : ""}>{countText(today.failed)}</span>
        {today.stopped > 0 && ` · ${countText(today.stopped)}`}
      </Figure>
      <Figure name="Billable tokens today">{tokensText(today.tokens)}</Figure>
    </FigureGrid>
  );
}
