import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { isAway } from "../../api/failure.ts";
import { useTalk } from "../../live/use-live.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { sizeText } from "../../ui/figures.tsx";
import { Empty, Loading, Trouble } from "../../ui/states.tsx";
import { SessionStepRow } from "./session-step-row.tsx";
import { stepsOf } from "./session-steps.ts";

const PAGE = 100;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The session of a project's agent: what it was told, thought, did and said, the newest at the end. */
export function SessionView({ projectId }: { projectId: string }) {
  const [file, setFile] = useState<string>();
  const session = useSession(projectId, file);
  const pages = session.data?.pages;
  if (pages === undefined) {
    if (session.isPending || isAway(session.error)) return <Loading label="Loading the agent log" />;
    return <Trouble error={session.error} retry={() => void session.refetch()} />;
  }
  const archives = pages[0]?.archives ?? [];
  const steps = stepsOf(pages.toReversed().flatMap(({ entries }) => entries));
  return (
    <section aria-label="Agent log" className="flex max-w-4xl flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <p className="max-w-prose text-sm text-faint">
          Everything the project's agent received, thought, did and answered, newest last.
        </p>
        {archives.length > 0 && (
          <SelectField label="Period" value={file ?? ""} onChange={(event) => setFile(event.target.value || undefined)}>
            <option value="">Current</option>
            {archives.map((archive) => (
              <option key={archive.file} value={archive.file}>
                Until {day.format(new Date(archive.updatedAt))} ({sizeText(archive.size)})
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {steps.length === 0 ? (
        <Empty title="The log is empty.">
          It starts with your first message to the project's agent or the first event it receives.
        </Empty>
      ) : (
        <>
          {session.hasNextPage && (
            <Button
              kind="ghost"
              size="small"
              className="self-center"
              busy={session.isFetchingNextPage}
              onClick={() => void session.fetchNextPage()}
            >
              {session.isFetchingNextPage ? "Loading…" : "Show earlier"}
            </Button>
          )}
          <ol className="flex flex-col gap-2 text-sm">
            {steps.map((step) => (
              <SessionStepRow key={step.key} step={step} projectId={projectId} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function useSession(projectId: string, file: string | undefined) {
  const client = useQueryClient();
  const key = ["talk", `project:${projectId}`, "session"];
  useTalk(`project:${projectId}`, ({ kind }) => {
    if (kind !== "delta") void client.invalidateQueries({ queryKey: key });
  });
  return useInfiniteQuery({
    queryKey: [...key, file],
    queryFn: ({ pageParam: before, signal }) =>
      call("getProjectSession", { params: { id: projectId }, query: { file, before, limit: PAGE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });
}
