import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import { useKeys } from "../../shell/keys.ts";
import { SelectField } from "../../ui/field.tsx";
import { plural } from "../../ui/figures.tsx";
import { ProjectFilter } from "../../ui/filters.tsx";
import { useTyped } from "../../ui/hooks/use-typed.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { HitGroups } from "./hit-groups.tsx";
import { KINDS } from "./hit-place.ts";
import { useHits } from "./use-hits.ts";

const MOST = 100;

/** What is looked through, and what is not. */
const SEARCHED =
  "Searches tasks, questions, projects, roles, knowledge, artifacts, context, initiatives, and the messages, tool calls and errors of ended runs. File contents and agent memory are not included.";

interface Filters {
  kind?: SearchHit["kind"] | undefined;
  project?: string | undefined;
}

/** Full-text search over everything; what is looked for stands in the address. */
export default function SearchPage() {
  const { q = "", kind: wanted, project } = useSearch({ strict: false });
  const kind = KINDS.find((each) => each.kind === wanted)?.kind;
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const look = (text: string, filters: Filters) =>
    void navigate({ to: "/search", search: { q: text || undefined, ...filters }, replace: true });
  const { typed, setTyped, settled } = useTyped(q, (text) => look(text, { kind, project }));
  useKeys({ "/": () => field.current?.select() });
  const filter = (filters: Filters) => look(typed.trim(), { kind, project, ...filters });
  return (
    <Page title="Search">
      <search
        onKeyDown={(event) => moveThroughHits(event, field.current)}
        className="flex flex-col gap-4"
        aria-label="Search"
      >
        <div className="flex flex-wrap items-center gap-3">
          <div className="relative min-w-0 flex-1 basis-72">
            <Search size={16} aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-faint" />
            <input
              ref={field}
              // biome-ignore lint/a11y/noAutofocus: the page is opened to write here
              autoFocus
              type="search"
              aria-label="Search everything"
              placeholder="Tasks, runs, projects, roles, knowledge, artifacts…"
              autoComplete="off"
              value={typed}
              maxLength={500}
              onChange={(event) => setTyped(event.target.value)}
              className="h-10 w-full rounded-md border border-edge bg-card pr-3 pl-9 text-base placeholder:text-faint [&::-webkit-search-cancel-button]:appearance-none"
            />
          </div>
          <FilterFields kind={kind} project={project} onChange={filter} />
        </div>
        <Hits
          q={settled}
          kind={kind}
          project={project}
          onWiden={() => filter({ kind: undefined, project: undefined })}
        />
      </search>
    </Page>
  );
}

function FilterFields({ kind, project, onChange }: Filters & { onChange: (filters: Filters) => void }) {
  return (
    <>
      <SelectField
        label="Type"
        hideLabel
        value={kind ?? ""}
        onChange={({ target }) => onChange({ kind: (target.value || undefined) as Filters["kind"] })}
      >
        <option value="">All types</option>
        {KINDS.map(({ kind: each, many }) => (
          <option key={each} value={each}>
            {many}
          </option>
        ))}
      </SelectField>
      <ProjectFilter value={project} onChange={(chosen) => onChange({ project: chosen })} />
    </>
  );
}

function Hits({ q, kind, project, onWiden }: Filters & { q: string; onWiden: () => void }) {
  const hits = useHits({ q, kind, project, limit: MOST });
  if (q.trim() === "")
    return <Empty title="Search everything">{SEARCHED} Matches all words; the last may be partial.</Empty>;
  return (
    <Loaded query={hits}>
      {({ hits: found, unread }) => (
        <>
          {found.length === 0 ? (
            <NothingFound q={q} isNarrowed={kind !== undefined || project !== undefined} onWiden={onWiden} />
          ) : (
            <HitGroups hits={found} query={q} isCut={found.length >= MOST} />
          )}
          {unread !== undefined && (
            <p className="text-sm text-faint">{plural(unread, "run")} still being indexed. Search again in a moment.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function NothingFound({ q, isNarrowed, onWiden }: { q: string; isNarrowed: boolean; onWiden: () => void }) {
  return (
    <Empty
      title={`No results for “${q.trim()}”.`}
      action={
        isNarrowed && (
          <button type="button" onClick={onWiden} className="text-sm text-accent underline">
            Clear filters
          </button>
        )
      }
    >
      Try fewer or shorter words. {SEARCHED}
    </Empty>
  );
}

/** Arrows lead from the field to the hits and back; Enter in the field opens the first. */
function moveThroughHits(event: KeyboardEvent, field: HTMLInputElement | null): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (document.activeElement instanceof HTMLSelectElement || event.nativeEvent.isComposing) return;
  if (event.key === "Enter" && document.activeElement === field) rows[0]?.click();
  else if (event.key === "ArrowDown") (rows[Math.min(at + 1, rows.length - 1)] ?? field)?.focus();
  else if (event.key === "ArrowUp" && at >= 0) (rows[at - 1] ?? field)?.focus();
  else return;
  event.preventDefault();
}
