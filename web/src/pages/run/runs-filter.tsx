import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RUN_STATUSES } from "../../../../src/contract/run-status.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";

type Status = (typeof RUN_STATUSES)[number];

export interface RunFilter {
  status?: Status | undefined;
  project?: string | undefined;
  role?: string | undefined;
  /** Only results that wait for the person. */
  review?: "true" | undefined;
  /** Where a page of the list begins. */
  before?: string | undefined;
}

const statusWords: Record<Status, string> = {
  pending: "Queued",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
};

/** What the address says; what it says wrongly is as if it were not said. */
export function filterOf(search: Record<string, unknown>): RunFilter {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    status: RUN_STATUSES.find((status) => status === search.status),
    project: text("project"),
    role: text("role"),
    review: String(search.review) === "true" ? "true" : undefined,
    before: text("before"),
  };
}

export function searchOf(filter: RunFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Which runs are shown; kept in the address. */
export function RunsFilter({ filter }: { filter: RunFilter }) {
  const navigate = useNavigate();
  const projects = useQuery(queries.projects());
  const roles = useQuery(queries.roles());
  // A new filter begins with the newest.
  const choose = (change: Record<string, string | undefined>) =>
    void navigate({ to: "/runs", search: searchOf({ ...filter, before: undefined, ...change }), replace: true });
  const chosen = (event: { target: { value: string } }) => event.target.value || undefined;
  const status = filter.review === "true" ? "review" : (filter.status ?? "");
  return (
    <form
      aria-label="Which runs"
      className="flex flex-wrap items-end gap-2 max-sm:grid max-sm:grid-cols-3"
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField
        label="Status"
        hideLabel
        value={status}
        onChange={(event) =>
          choose(
            event.target.value === "review"
              ? { review: "true", status: undefined }
              : { review: undefined, status: chosen(event) },
          )
        }
      >
        <option value="">Any status</option>
        <option value="review">In review</option>
        {RUN_STATUSES.map((each) => (
          <option key={each} value={each}>
            {statusWords[each]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Project"
        hideLabel
        value={filter.project ?? ""}
        onChange={(event) => choose({ project: chosen(event) })}
      >
        <option value="">All projects</option>
        {projects.data?.projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Role"
        hideLabel
        value={filter.role ?? ""}
        onChange={(event) => choose({ role: chosen(event) })}
      >
        <option value="">All roles</option>
        {roles.data?.roles.map(({ id, name, emoji }) => (
          <option key={id} value={id}>
            {emoji} {name}
          </option>
        ))}
      </SelectField>
      {Object.keys(searchOf(filter)).length > 0 && (
        <Button kind="ghost" onClick={() => void navigate({ to: "/runs", replace: true })}>
          Clear
        </Button>
      )}
    </form>
  );
}
