import { useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowUp } from "lucide-react";
import { isAway } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { ProjectFilter } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loading, Trouble } from "../../ui/states.tsx";
import { AuditButton } from "./audit-button.tsx";
import { EventList } from "./event-list.tsx";
import { NamesOfEvents, useEventNames } from "./event-names.ts";
import { ACTORS, type EventFilter, filterIn, GROUPS } from "./event-rows.ts";
import { useActivity } from "./use-activity.ts";

/** All that happened, from the log that only grows. */
export default function ActivityPage() {
  const { project, about, actor } = filterIn(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (part: EventFilter) =>
    void navigate({ to: "/activity", search: { project, about, actor, ...part }, replace: true });
  return (
    <Page title="Activity" lead="Everything that happened in this workspace, newest first." actions={<AuditButton />}>
      <Filters filter={{ project, about, actor }} onChange={change} />
      <Log key={`${project} ${about} ${actor}`} filter={{ project, about, actor }} onWiden={() => change(NOTHING)} />
    </Page>
  );
}

const LAST_RUNS = { limit: 100 };
const NOTHING: EventFilter = { project: undefined, about: undefined, actor: undefined };

function Filters({ filter, onChange }: { filter: EventFilter; onChange: (part: EventFilter) => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <ProjectFilter value={filter.project} onChange={(project) => onChange({ project })} />
      <SelectField
        label="Type"
        hideLabel
        value={filter.about ?? ""}
        onChange={({ target }) => onChange({ about: target.value || undefined })}
      >
        <option value="">All types</option>
        {Object.entries(GROUPS).map(([about, { name }]) => (
          <option key={about} value={about}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Actor"
        hideLabel
        value={filter.actor ?? ""}
        onChange={({ target }) => onChange({ actor: (target.value || undefined) as EventFilter["actor"] })}
      >
        <option value="">Anyone</option>
        {Object.entries(ACTORS).map(([actor, name]) => (
          <option key={actor} value={actor}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function Log({ filter, onWiden }: { filter: EventFilter; onWiden: () => void }) {
  const { query, shown, waiting } = useActivity(filter);
  const names = useEventNames(shown, LAST_RUNS);
  if (query.data === undefined) {
    if (query.isPending || isAway(query.error)) return <Loading lines={8} />;
    return <Trouble error={query.error} retry={() => void query.refetch()} />;
  }
  if (shown.length === 0) return <NothingHappened isNarrowed={Object.values(filter).some(Boolean)} onWiden={onWiden} />;
  return (
    <NamesOfEvents value={names}>
      <div role="status" className="pointer-events-none sticky top-14 z-10 -my-2 flex h-0 justify-center md:top-3">
        {waiting > 0 && (
          <Button
            kind="primary"
            size="small"
            className="pointer-events-auto rounded-full shadow-md"
            onClick={() => window.scrollTo({ top: 0 })}
          >
            <ArrowUp size={14} aria-hidden />
            {waiting} new
          </Button>
        )}
      </div>
      <EventList
        events={shown}
        hasOlder={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        onOlder={() => void query.fetchNextPage()}
      />
    </NamesOfEvents>
  );
}

function NothingHappened({ isNarrowed, onWiden }: { isNarrowed: boolean; onWiden: () => void }) {
  if (!isNarrowed) return <Empty title="No activity yet.">Changes by you and your agents are listed here.</Empty>;
  return (
    <Empty title="No activity matches these filters." action={<Button onClick={onWiden}>Clear filters</Button>}>
      Choose another project, type or actor.
    </Empty>
  );
}
