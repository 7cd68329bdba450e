import { useNavigate } from "@tanstack/react-router";
import { ESCALATION_TYPES } from "../../../../src/contract/documents/escalation-status.ts";
import { TYPE_WORDS } from "../../../../src/contract/words/queue-words.ts";
import { SelectField } from "../../ui/field.tsx";
import { ProjectFilter } from "../../ui/filters.tsx";
import { useTyped } from "../../ui/hooks/use-typed.ts";
import { INBOX_VIEWS, type InboxFilter } from "./inbox-filter.ts";

/** What the list shows; kept in the address. */
export function FilterBar({ filter }: { filter: InboxFilter }) {
  const navigate = useNavigate();
  const choose = (change: Partial<InboxFilter>) => {
    const { view, ...rest } = { ...filter, ...change };
    void navigate({ to: "/inbox", search: { ...rest, view: view === "pending" ? undefined : view }, replace: true });
  };
  const { typed, setTyped } = useTyped(filter.q ?? "", (q) => choose({ q: q === "" ? undefined : q }));
  return (
    <search aria-label="Filter the inbox" className="flex flex-wrap items-center gap-2">
      <fieldset className="flex h-8 rounded-md border border-line bg-card p-0.5">
        <legend className="sr-only">Status</legend>
        {INBOX_VIEWS.map(({ view, name }) => (
          <button
            key={view}
            type="button"
            aria-pressed={view === filter.view}
            onClick={() => choose({ view })}
            className="rounded px-2 text-sm text-faint hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
          >
            {name}
          </button>
        ))}
      </fieldset>
      <ProjectFilter value={filter.project} onChange={(project) => choose({ project })} />
      <SelectField
        label="Type"
        hideLabel
        value={filter.type ?? ""}
        onChange={({ target }) => choose({ type: ESCALATION_TYPES.find((type) => type === target.value) })}
      >
        <option value="">All types</option>
        {ESCALATION_TYPES.map((type) => (
          <option key={type} value={type}>
            {TYPE_WORDS[type]}
          </option>
        ))}
      </SelectField>
      <input
        type="search"
        aria-label="Search the inbox"
        placeholder="Search the inbox"
        maxLength={500}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        className="h-8 w-48 rounded-md border border-edge bg-card px-2 text-sm placeholder:text-faint max-sm:flex-1"
      />
    </search>
  );
}
