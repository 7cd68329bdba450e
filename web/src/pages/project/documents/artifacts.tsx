import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Artifact as ArtifactFile } from "../../../../../src/contract/routes/document-routes.ts";
import { call } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { showPanel } from "../../../shell/panels.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty, Loading, Trouble } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";
import { DocumentEntry } from "./document-entry.tsx";
import { grouped, shelfName } from "./document-kind.ts";
import { DocumentShelf } from "./document-shelf.tsx";
import { DownloadButton } from "./download-button.tsx";

function useArtifacts(id: string) {
  return useInfiniteQuery({
    queryKey: ["documents", id, "artifacts"],
    queryFn: ({ pageParam, signal }) =>
      call("listArtifacts", { params: { id }, query: { limit: 100, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** What work on the project produced, the newest day first. */
export default function ArtifactsTab() {
  const id = useProjectId();
  const found = useArtifacts(id);
  if (found.data === undefined)
    return found.isPending ? <Loading /> : <Trouble error={found.error} retry={() => void found.refetch()} />;
  const artifacts = found.data.pages.flatMap((page) => page.artifacts);
  if (artifacts.length === 0)
    return (
      <Empty
        title="No artifacts yet."
        action={
          <Button kind="primary" onClick={() => showPanel("start-agent", { projectId: id })}>
            Start an agent
          </Button>
        }
      >
        Reports, plans and reviews written by agents appear here, by day.
      </Empty>
    );
  return (
    <DocumentShelf
      groups={grouped(newestFirst(artifacts), ({ date }) => date)}
      below={
        found.hasNextPage && (
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Older artifacts
          </Button>
        )
      }
    >
      {(path) => <Artifact key={path} path={path} />}
    </DocumentShelf>
  );
}

/** Each with its heading, as names of files repeat themselves. */
function newestFirst(artifacts: readonly ArtifactFile[]) {
  return artifacts
    .toSorted((a, b) => b.date.localeCompare(a.date) || b.updatedAt.localeCompare(a.updatedAt))
    .map((file) => ({ ...file, summary: file.title === file.name ? undefined : shelfName(file.path) }));
}

function Artifact({ path }: { path: string }) {
  const query = useQuery(queries.document(useProjectId(), path));
  return <DocumentEntry query={query} actions={(file) => <DownloadButton file={file} />} />;
}
