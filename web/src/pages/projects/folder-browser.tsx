import { useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder, FolderGit2 } from "lucide-react";
import type { FolderList } from "../../../../src/contract/routes/folder-routes.ts";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { capital } from "../../ui/text/capital.ts";

interface BrowserProps {
  /** Where it stands; the home folder when it is empty. */
  at: string;
  onGo: (path: string) => void;
  onChoose: (path: string) => void;
}

/** The folders of the machine that the hall runs on. */
export function FolderBrowser({ at, onGo, onChoose }: BrowserProps) {
  const found = useQuery({ ...queries.folders(at === "" ? undefined : at), placeholderData: (before) => before });
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-sunk p-2">
      <Loaded query={found}>
        {(list) => <Folders list={list} isStart={at === ""} onGo={onGo} onChoose={onChoose} />}
      </Loaded>
      {found.isError && found.data === undefined && (
        <Button size="small" className="self-start" onClick={() => onGo("")}>
          Go to home folder
        </Button>
      )}
    </div>
  );
}

interface FoldersProps extends Pick<BrowserProps, "onGo" | "onChoose"> {
  list: FolderList;
  /** Nobody went there yet: that it cannot be taken is no news. */
  isStart: boolean;
}

function Folders({ list, isStart, onGo, onChoose }: FoldersProps) {
  const { path, parent, folders, refused, isGit, more } = list;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" disabled={parent === undefined} onClick={() => parent !== undefined && onGo(parent)}>
          <CornerLeftUp size={14} aria-hidden />
          Up
        </Button>
        <code className="min-w-0 flex-1 truncate text-xs" title={path}>
          {path}
        </code>
        {isGit && <Badge tone="good">git</Badge>}
        <Button size="small" kind="primary" disabled={refused !== undefined} onClick={() => onChoose(path)}>
          Use this folder
        </Button>
      </div>
      {refused !== undefined && (
        <p className={`text-xs ${isStart ? "text-faint" : "text-warn"}`}>
          {isStart ? "Open the folder with your code." : capital(refused)}
        </p>
      )}
      <ul aria-label="Folders" className="max-h-52 overflow-y-auto rounded-md border border-line bg-card">
        {folders.length === 0 && <li className="px-3 py-2 text-sm text-faint">No subfolders.</li>}
        {folders.map((folder) => (
          <li key={folder.path} className="border-b border-line last:border-b-0">
            <button
              type="button"
              data-row
              onClick={() => onGo(folder.path)}
              className="flex w-full items-center gap-2 px-3 py-1.5 text-left text-sm outline-offset-[-2px] hover:bg-sunk"
            >
              {folder.isGit ? <FolderGit2 size={14} aria-hidden /> : <Folder size={14} aria-hidden />}
              <bdi className="min-w-0 flex-1 truncate">{folder.name}</bdi>
              {folder.isGit && <Badge tone="good">git</Badge>}
            </button>
          </li>
        ))}
      </ul>
      {more && <p className="text-xs text-faint">Not all folders are shown. Type the path to open another.</p>}
    </>
  );
}
