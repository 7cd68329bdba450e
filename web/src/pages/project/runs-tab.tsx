import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runLine } from "../../../../src/contract/run-line.ts";
import { RUN_STATUSES } from "../../../../src/contract/run-status.ts";
import { call } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { RunRows } from "../../ui/run-row.tsx";
import { Empty, Loading, Trouble } from "../../ui/states.tsx";
import { useProjectId } from "./project-id.ts";

const WORDS: Record<(typeof RUN_STATUSES)[number], string> = {
  pending: "Queued",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
};
type Wanted = (typeof RUN_STATUSES)[number] | "review" | "all";

function useRuns(project: string, wanted: Wanted) {
  const filter = wanted === "all" ? {} : wanted === "review" ? { review: "true" as const } : { status: wanted };
  return useInfiniteQuery({
    queryKey: ["runs", "of", project, wanted],
    queryFn: ({ pageParam, signal }) =>
      call("listRuns", { query: { project, limit: 50, cursor: pageParam, ...filter }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The runs of one project, the newest first. */
export default function RunsTab() {
  const id = useProjectId();
  const [wanted, setWanted] = useState<Wanted>("all");
  const [role, setRole] = useState("");
  const found = useRuns(id, wanted);
  const runs = found.data?.pages.flatMap((page) => page.runs) ?? [];
  const shown = runs.filter(({ roleId }) => role === "" || roleId === role);
  return (
    <div className="flex flex-col gap-3">
      <Filter wanted={wanted} onWanted={setWanted} role={role} onRole={setRole} />
      {found.isPending && <Loading />}
      {found.isError && <Trouble error={found.error} retry={() => void found.refetch()} />}
      {shown.length > 0 && <RunRows runs={shown.map(runLine)} showProject={false} label="Runs" />}
      {found.isSuccess && shown.length === 0 && <NoRuns isFiltered={wanted !== "all" || role !== ""} />}
      {found.hasNextPage && (
        <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()} className="self-center">
          Older runs
        </Button>
      )}
    </div>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No run is like that." />;
  return <Empty title="Nobody has worked here yet.">Start a task from the board, or spawn a role from the team.</Empty>;
}

interface FilterProps {
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
  role: string;
  onRole: (role: string) => void;
}

function Filter({ wanted, onWanted, role, onRole }: FilterProps) {
  const roles = useQuery(queries.roles()).data?.roles ?? [];
  return (
    <search className="flex flex-wrap gap-2">
      <SelectField label="Status" hideLabel value={wanted} onChange={({ target }) => onWanted(target.value as Wanted)}>
        <option value="all">Every status</option>
        <option value="review">In review</option>
        {RUN_STATUSES.map((status) => (
          <option key={status} value={status}>
            {WORDS[status]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Role" hideLabel value={role} onChange={({ target }) => onRole(target.value)}>
        <option value="">Every role</option>
        {roles.map(({ id, name, emoji }) => (
          <option key={id} value={id}>
            {emoji} {name}
          </option>
        ))}
      </SelectField>
    </search>
  );
}
