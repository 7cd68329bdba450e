import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Trouble } from "../../ui/states.tsx";
import { DocumentEntry } from "./document-entry.tsx";
import { grouped } from "./document-kind.ts";
import { DocumentShelf } from "./document-shelf.tsx";
import { DownloadButton } from "./download-button.tsx";
import { useProjectId } from "./project-id.ts";

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
      <Empty title="There are no artifacts yet.">
        What a run writes as its result is kept here by day: reports, plans, reviews, and whatever else is worth
        keeping.
      </Empty>
    );
  return (
    <DocumentShelf
      groups={grouped(artifacts, ({ date }) => date)}
      below={
        found.hasNextPage && (
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Older ones
          </Button>
        )
      }
    >
      {(path) => <Artifact key={path} path={path} />}
    </DocumentShelf>
  );
}

function Artifact({ path }: { path: string }) {
  const query = useQuery(queries.document(useProjectId(), path));
  return <DocumentEntry query={query} actions={(file) => <DownloadButton file={file} />} />;
}
