import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { call } from "../../api/client.ts";
import { isAway } from "../../api/failure.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { RoleFilter } from "../../ui/filters.tsx";
import { RunRows } from "../../ui/run/run-row.tsx";
import { Empty, Loading, Trouble } from "../../ui/states.tsx";
import { type Standing, StatusFilter } from "../runs/runs-filter.tsx";
import { useProjectId } from "./project-id.ts";

interface Wanted {
  project: string;
  role: string | undefined;
  standing: Standing | undefined;
}

function useRuns({ project, role, standing }: Wanted) {
  const narrowed = standing === "review" ? { review: "true" as const } : { status: standing };
  return useInfiniteQuery({
    queryKey: ["runs", "of", project, role, standing],
    queryFn: ({ pageParam, signal }) =>
      call("listRuns", { query: { project, role, limit: 50, cursor: pageParam, ...narrowed }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The runs of one project, the newest first. */
export default function RunsTab() {
  const project = useProjectId();
  const [standing, setStanding] = useState<Standing>();
  const [role, setRole] = useState<string>();
  const found = useRuns({ project, role, standing });
  const clear = () => {
    setStanding(undefined);
    setRole(undefined);
  };
  const runs = found.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <search className="flex flex-wrap gap-2">
        <StatusFilter value={standing} onChange={setStanding} />
        <RoleFilter value={role} onChange={setRole} />
      </search>
      {found.data === undefined &&
        (found.isPending || isAway(found.error) ? (
          <Loading />
        ) : (
          <Trouble error={found.error} retry={() => void found.refetch()} />
        ))}
      {runs.length > 0 && <RunRows runs={runs.map(runLine)} showProject={false} label="Runs" />}
      {found.isSuccess && runs.length === 0 && (
        <NoRuns isNarrowed={standing !== undefined || role !== undefined} onClear={clear} />
      )}
      {found.hasNextPage && (
        <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()} className="self-center">
          Older runs
        </Button>
      )}
    </div>
  );
}

function NoRuns({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  const projectId = useProjectId();
  if (isNarrowed)
    return <Empty title="No runs match these filters." action={<Button onClick={onClear}>Clear filters</Button>} />;
  return (
    <Empty
      title="No runs yet."
      action={
        <Button kind="primary" onClick={() => showPanel("start-agent", { projectId })}>
          Start an agent
        </Button>
      }
    >
      A run is one agent working on one task in this project.
    </Empty>
  );
}
