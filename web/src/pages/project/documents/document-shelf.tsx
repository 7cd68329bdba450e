import type { ReactNode } from "react";
import { useShownEntry } from "../project-id.ts";
import { Shelf, type ShelfFile, ShelfGroup } from "./shelf.tsx";

interface DocumentShelfProps {
  groups: readonly (readonly [title: string, files: readonly ShelfFile[]])[];
  /** Below the list. */
  below?: ReactNode;
  /** The document that is open, or the first where there is room for it. */
  children: (path: string) => ReactNode;
}

/** Documents in groups, beside the text of one of them. */
export function DocumentShelf({ groups, below, children }: DocumentShelfProps) {
  const path = useShownEntry(groups.find(([, files]) => files.length > 0)?.[1][0]?.path);
  return (
    <Shelf
      list={
        <>
          {groups.map(
            ([title, files]) => files.length > 0 && <ShelfGroup key={title} title={title} files={files} shown={path} />,
          )}
          {below}
        </>
      }
    >
      {path !== undefined && children(path)}
    </Shelf>
  );
}
