import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, Loading, Trouble } from "../../ui/states.tsx";
import { grouped } from "./document-kind.ts";
import { DocumentText } from "./document-text.tsx";
import { download } from "./download.ts";
import { useProjectId, useShownEntry } from "./project-id.ts";
import { Opened, Shelf, ShelfGroup } from "./shelf.tsx";

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
  const path = useShownEntry(found.data?.pages[0]?.artifacts[0]?.path);
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
    <Shelf
      list={
        <>
          {grouped(artifacts, ({ date }) => date).map(([date, files]) => (
            <ShelfGroup key={date} title={date} files={files} shown={path} />
          ))}
          {found.hasNextPage && (
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Older ones
            </Button>
          )}
        </>
      }
    >
      {path !== undefined && <OpenArtifact key={path} id={id} path={path} />}
    </Shelf>
  );
}

function OpenArtifact({ id, path }: { id: string; path: string }) {
  const found = useQuery(queries.document(id, path));
  return (
    <Loaded query={found}>
      {({ file }) => (
        <Opened
          title={file.path}
          actions={
            <Button size="small" onClick={() => download(file.path, file.content)}>
              Download
            </Button>
          }
        >
          <DocumentText path={file.path} content={file.content} />
        </Opened>
      )}
    </Loaded>
  );
}
