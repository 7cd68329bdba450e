import { useNavigate } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";
import { type RefObject, useState } from "react";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../../../src/contract/documents/task-status.ts";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/figures.tsx";
import { useTyped } from "../../ui/hooks/use-typed.ts";
import { type Facets, FILTER_NAMES, type Filters, isFiltered, NOBODY } from "./filtering.ts";

interface FilterBarProps {
  filters: Filters;
  facets: Facets;
  shown: number;
  all: number;
  input: RefObject<HTMLInputElement | null>;
  /** A list can be narrowed to one status; a board shows them side by side. */
  isList: boolean;
}

const look = "h-8 rounded-md border border-edge bg-card px-2 text-sm";

/** What is shown of the tasks. It is in the address, so that it can be kept and passed on. */
export function FilterBar({ filters, facets, shown, all, input, isList }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const set = useFilters();
  const chosen = FILTER_NAMES.filter((name) => name !== "q" && filters[name] !== undefined).length;
  const priorities = [...TASK_PRIORITIES].reverse().filter((priority) => facets.priority.has(priority));
  return (
    // biome-ignore lint/a11y/useSemanticElements: it sends nothing
    <div role="search" aria-label="Filter tasks" className="flex flex-wrap items-center gap-2">
      <TextFilter value={filters.q ?? ""} onChange={(q) => set({ q: q === "" ? undefined : q })} input={input} />
      <Button className="md:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal size={14} aria-hidden />
        Filters{chosen > 0 ? ` (${chosen})` : ""}
      </Button>
      <div className={`flex flex-wrap items-center gap-2 md:contents ${isOpen ? "" : "max-md:hidden"}`}>
        {isList && (
          <Choice
            name="status"
            label="Any status"
            {...{ filters, set }}
            options={TASK_STATUSES.filter((status) => facets.status.has(status))}
            counts={facets.status}
          />
        )}
        <Choice
          name="priority"
          label="Any priority"
          {...{ filters, set }}
          options={priorities}
          counts={facets.priority}
        />
        <Choice name="type" label="Any type" {...{ filters, set }} options={sorted(facets.type)} counts={facets.type} />
        <Choice name="role" label="Any role" {...{ filters, set }} options={sorted(facets.role)} counts={facets.role} />
        <Choice
          name="label"
          label="Any label"
          {...{ filters, set }}
          options={sorted(facets.label)}
          counts={facets.label}
        />
        <label className="flex h-8 items-center gap-1.5 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={filters.ready === true}
            onChange={(event) => set({ ready: event.target.checked ? true : undefined })}
          />
          Ready only <span className="text-faint tabular-nums">{countText(facets.ready)}</span>
        </label>
      </div>
      {isFiltered(filters) && (
        <p className="flex items-center gap-2 text-sm text-faint" role="status">
          {countText(shown)} of {countText(all)}
          <Button size="small" kind="ghost" onClick={() => set({})} aria-label="Clear filters">
            Clear
          </Button>
        </p>
      )}
    </div>
  );
}

/** Sets the filters named; none named takes all away. */
function useFilters(): (change: Filters) => void {
  const navigate = useNavigate();
  return (change) => {
    const gone = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));
    const change_ = Object.keys(change).length === 0 ? gone : change;
    void navigate({ to: ".", search: (before: Record<string, unknown>) => ({ ...before, ...change_ }), replace: true });
  };
}

function TextFilter({
  value,
  onChange,
  input,
}: {
  value: string;
  onChange: (value: string) => void;
  input: RefObject<HTMLInputElement | null>;
}) {
  const { typed, setTyped } = useTyped(value, onChange);
  return (
    <input
      ref={input}
      type="search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
      aria-label="Filter by text"
      placeholder="Filter tasks"
      className={`${look} w-48 placeholder:text-faint max-md:flex-1`}
    />
  );
}

function Choice({
  name,
  label,
  filters,
  set,
  options,
  counts,
}: {
  name: "status" | "priority" | "type" | "role" | "label";
  label: string;
  filters: Filters;
  set: (change: Filters) => void;
  options: readonly string[];
  counts: ReadonlyMap<string, number>;
}) {
  const value = filters[name];
  if (options.length === 0 && value === undefined) return null;
  const all = value === undefined || options.includes(value) ? options : [value, ...options];
  return (
    <select
      aria-label={`Filter by ${name}`}
      value={value ?? ""}
      onChange={(event) => set({ [name]: event.target.value === "" ? undefined : event.target.value })}
      className={`${look} max-w-40 ${value === undefined ? "text-faint" : "border-accent text-ink"}`}
    >
      <option value="">{label}</option>
      {all.map((option) => (
        <option key={option} value={option}>
          {option === NOBODY ? "unassigned" : option} ({countText(counts.get(option) ?? 0)})
        </option>
      ))}
    </select>
  );
}

function sorted(counts: ReadonlyMap<string, number>): string[] {
  return [...counts.keys()]
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a.localeCompare(b))
    .slice(0, 200);
}
