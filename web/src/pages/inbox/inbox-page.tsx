import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Problem } from "../../../../src/contract/problem.ts";
import type { RouteResponse } from "../../../../src/contract/routes/routes.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { countText, plural } from "../../ui/figures.tsx";
import { Page } from "../../ui/page.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { Desk } from "./desk.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterIn, type InboxFilter, isNarrowed, queryOf } from "./inbox-filter.ts";
import { isAsleep } from "./inbox-row.tsx";

/** Everything that waits for the person, in one list, answered here. */
export default function InboxPage() {
  const filter = filterIn(useSearch({ strict: false }));
  const found = useQuery({ ...queries.escalations(queryOf(filter)), placeholderData: (known) => known });
  return (
    <Page title="Inbox" lead={<Lead filter={filter} found={found.data} />}>
      <FilterBar filter={filter} />
      <Loaded query={found} loading={<Loading lines={8} label="Loading the inbox" />}>
        {(data) => <Found filter={filter} data={data} isSettled={!found.isPlaceholderData} />}
      </Loaded>
    </Page>
  );
}

type Listed = RouteResponse<"listEscalations">;

function Lead({ filter, found }: { filter: InboxFilter; found: Listed | undefined }) {
  if (found === undefined) return <span>Questions and decisions for you</span>;
  const more = found.total > found.escalations.length ? ` of ${countText(found.total)}` : "";
  const shown = filter.view === "snoozed" ? found.escalations.filter(isAsleep).length : found.escalations.length;
  const words = { pending: "pending", draft: "draft", snoozed: "snoozed", resolved: "resolved" }[filter.view];
  return (
    <span role="status">
      {countText(shown)}
      {filter.view === "snoozed" ? "" : more} {words}
      {more !== "" && filter.view === "resolved" && ". Search or filter to find older ones"}
    </span>
  );
}

function Found({ filter, data, isSettled }: { filter: InboxFilter; data: Listed; isSettled: boolean }) {
  const { escalations, invalid } = data;
  const entries = useMemo(
    () => (filter.view === "snoozed" ? escalations.filter(isAsleep) : escalations),
    [escalations, filter.view],
  );
  return (
    <>
      <InvalidFiles invalid={invalid} />
      <Desk entries={entries} isSettled={isSettled} empty={<Nothing filter={filter} />} />
    </>
  );
}

const NOTHING: Record<InboxFilter["view"], { title: string; text: string }> = {
  pending: {
    title: "You're all caught up.",
    text: "When an agent needs a decision, a result is ready for review, a run fails or runs out of budget, or a file can't be read, it appears here. Answer it here, and the agent continues.",
  },
  draft: {
    title: "No drafts.",
    text: "Questions start as drafts while the project's agent and the main agent check whether the answer is already known. What they can't answer moves to Pending.",
  },
  snoozed: { title: "Nothing is snoozed.", text: "Press s on an entry to hide it until later." },
  resolved: {
    title: "Nothing resolved yet.",
    text: "Answered and dismissed entries are listed here, with who answered and where the answer went.",
  },
};

function Nothing({ filter }: { filter: InboxFilter }) {
  const navigate = useNavigate();
  if (isNarrowed(filter))
    return (
      <Empty
        title="No entries match these filters."
        action={
          <Button onClick={() => void navigate({ to: "/inbox", search: { view: filter.view }, replace: true })}>
            Clear filters
          </Button>
        }
      />
    );
  const { title, text } = NOTHING[filter.view];
  return <Empty title={title}>{text}</Empty>;
}

/** Files that cannot be read are not in the list until a person fixes them. */
function InvalidFiles({ invalid }: { invalid: readonly Problem[] }) {
  if (invalid.length === 0) return null;
  return (
    <details className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      <summary className="font-medium text-warn">{plural(invalid.length, "escalation file")} can't be read</summary>
      <ScrollBox label="Unreadable files" className="mt-2 max-h-48">
        <ProblemList problems={invalid} />
      </ScrollBox>
    </details>
  );
}
