import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { code } from "../../api/code.ts";
import { queries } from "../../api/queries.ts";
import { useKeys } from "../../shell/keys.ts";
import { Coming } from "../../ui/later.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { Discarded } from "./review/discarded.tsx";
import { RequestedChanges, YourFeedback } from "./review/requested-changes.tsx";
import { ReviewCriteria } from "./review/review-criteria.tsx";
import { RunAnswer } from "./review/run-answer.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunBrief } from "./run-brief.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunFailure } from "./run-failure.tsx";
import { RunFamily } from "./run-family.tsx";
import { RunLead } from "./run-lead.tsx";
import { deedsFor, waitsForReview } from "./standing.ts";
import { useRunNews } from "./transcript/use-transcript.ts";
import { firstView, namedView, VIEWS, type ViewName, ViewTabs } from "./view-tabs.tsx";

const views = {
  transcript: lazy(code(() => import("./transcript/transcript-view.tsx"))),
  timeline: lazy(code(() => import("./timeline/timeline-view.tsx"))),
  changes: lazy(code(() => import("./diff/changes-view.tsx"))),
  gate: lazy(code(() => import("./gate-view.tsx"))),
  prompt: lazy(code(() => import("./prompt-view.tsx"))),
  cost: lazy(code(() => import("./timeline/cost-view.tsx"))),
};

export default function RunPage() {
  const { runId } = useParams({ from: "/runs/$runId" });
  const run = useQuery(queries.run(runId));
  useRunNews(runId);
  if (run.data === undefined)
    return (
      <Page title="Run">
        <Loaded query={run} loading={<Loading lines={8} />}>
          {() => null}
        </Loaded>
      </Page>
    );
  // Nothing of one run is kept for the next.
  return <RunShown key={runId} run={run.data.run} />;
}

function RunShown({ run }: { run: Run }) {
  const { view: wanted, at } = useSearch({ strict: false });
  // Chosen once: what somebody looks at is not taken away when the run ends.
  const [first] = useState(() => firstView(run));
  const view = namedView(wanted) ?? first;
  const mayDecide = deedsFor(run).decide;
  const isWaiting = waitsForReview(run);
  useViewKeys(run, view);
  return (
    <Page
      title={run.title}
      lead={<RunLead run={run} />}
      actions={<RunActions run={run} view={view} />}
      isTall={mayDecide}
    >
      <RunFailure run={run} />
      <Discarded run={run} />
      <RequestedChanges run={run} />
      {isWaiting ? (
        <RunBrief run={run} />
      ) : (
        <>
          <RunFacts run={run} />
          <RunFamily run={run} />
        </>
      )}
      <div className="grid gap-4 empty:hidden lg:auto-cols-fr lg:grid-flow-col">
        <RunAnswer run={run} isShort={isWaiting} />
        {mayDecide && <ReviewCriteria run={run} />}
      </div>
      {/* Without a box of its own: what sticks to the top or the bottom of the window does so on the whole page. */}
      <div className="contents">
        <ViewTabs run={run} view={view} />
        {(view === "transcript" || view === "changes") && <YourFeedback run={run} />}
        <Suspense fallback={<Coming />}>
          <View run={run} view={view} at={at} />
        </Suspense>
      </div>
    </Page>
  );
}

function View({ run, view, at }: { run: Run; view: ViewName; at: string | undefined }) {
  if (view === "transcript") return <views.transcript run={run} at={at} />;
  if (view === "changes") return <views.changes run={run} at={at} />;
  const Other = views[view];
  return <Other run={run} />;
}

function useViewKeys(run: Run, view: ViewName): void {
  const navigate = useNavigate();
  const show = (name: ViewName) => void navigate({ to: ".", search: { view: name }, replace: true });
  const toReview = () => {
    if (!deedsFor(run).decide || view === "changes") return false;
    show("changes");
  };
  useKeys({
    ...Object.fromEntries(VIEWS.map(({ name }, at) => [String(at + 1), () => show(name)])),
    // There it is decided, where it can be seen what about.
    a: toReview,
    r: toReview,
    d: toReview,
  });
}
