import { useNavigate } from "@tanstack/react-router";
import type { RunStatus } from "../../../../src/contract/runs/run.ts";
import { RUN_STATUSES } from "../../../../src/contract/runs/run-status.ts";
import { RUN_STATUS_WORDS } from "../../../../src/contract/words/run-words.ts";
import { oneOf, type Said } from "../../api/address.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { ProjectFilter, RoleFilter } from "../../ui/filters.tsx";

export interface RunFilter {
  status?: RunStatus | undefined;
  project?: string | undefined;
  role?: string | undefined;
  /** Only results that wait for the person. */
  review?: "true" | undefined;
  /** Where a page of the list begins. */
  before?: string | undefined;
}

/** What the address says; what it says wrongly is as if it were not said. */
export function filterOf({ status, project, role, review, before }: Said): RunFilter {
  return { status: oneOf(RUN_STATUSES, status), project, role, review: oneOf(["true"], review), before };
}

export function searchOf(filter: RunFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Which runs are shown; kept in the address. */
export function RunsFilter({ filter }: { filter: RunFilter }) {
  const navigate = useNavigate();
  // A new filter begins with the newest.
  const choose = (change: Record<string, string | undefined>) =>
    void navigate({ to: "/runs", search: searchOf({ ...filter, before: undefined, ...change }), replace: true });
  return (
    <form
      aria-label="Filter runs"
      className="flex flex-wrap items-end gap-2 max-sm:grid max-sm:grid-cols-2"
      onSubmit={(event) => event.preventDefault()}
    >
      <StatusFilter
        value={filter.review === "true" ? "review" : filter.status}
        onChange={(chosen) =>
          choose(chosen === "review" ? { review: "true", status: undefined } : { review: undefined, status: chosen })
        }
      />
      <ProjectFilter value={filter.project} onChange={(project) => choose({ project })} />
      <RoleFilter value={filter.role} onChange={(role) => choose({ role })} />
      {Object.keys(searchOf(filter)).length > 0 && (
        <Button kind="ghost" onClick={() => void navigate({ to: "/runs", replace: true })}>
          Clear
        </Button>
      )}
    </form>
  );
}

/** How a run stands, or that its result waits for the person. */
export type Standing = RunStatus | "review";

export function StatusFilter({
  value,
  onChange,
}: {
  value: Standing | undefined;
  onChange: (value: Standing | undefined) => void;
}) {
  return (
    <SelectField
      label="Status"
      hideLabel
      value={value ?? ""}
      onChange={({ target }) => onChange((target.value || undefined) as Standing | undefined)}
    >
      <option value="">Any status</option>
      <option value="review">In review</option>
      {RUN_STATUSES.map((status) => (
        <option key={status} value={status}>
          {RUN_STATUS_WORDS[status]}
        </option>
      ))}
    </SelectField>
  );
}
