import { dirname, posix } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { FolderList, FolderQuery } from "../../contract/routes/folder-routes.ts";
import { isFolder, isThere, isWithin, realPlaceOf } from "../../store/files/folders.ts";
import { foldersToChoose, isGitFolder } from "../../store/files/listing/folder-choice.ts";
import { assertWorkdir } from "./workdir.ts";

const MOST_FOLDERS = 500;
const TO_CHOOSE = "Choose another folder, or enter its path.";

/** What of the machine is shown to somebody who looks for the folder of a project. `root`: the workspace. */
export function listFolders({ path, hidden }: FolderQuery, of: { root: string; home: string }): FolderList {
  const asked = path ?? of.home;
  if (!posix.isAbsolute(asked) || asked.includes("\0"))
    throw new HallError("invalid", "path: must be an absolute path, without zero bytes.");
  if (!isThere(asked)) throw new HallError("file_not_found", `There is no folder '${asked}'.`, { hint: TO_CHOOSE });
  if (!isFolder(asked)) throw new HallError("invalid", `path: '${asked}' is not a folder.`, { hint: TO_CHOOSE });
  const place = realPlaceOf(posix.normalize(asked));
  const project = { root: of.root, projectId: "" };
  if (isWithin(place, of.root)) assertWorkdir(place, project);
  const { folders, isCut } = read(place, hidden);
  const refused = refusalOf(() => assertWorkdir(place, project));
  return {
    path: place,
    ...(place === "/" ? {} : { parent: dirname(place) }),
    isGit: isGitFolder(place),
    ...(refused === undefined ? {} : { refused }),
    folders: folders.filter((folder) => realPlaceOf(folder.path) !== of.root),
    more: isCut,
  };
}

function read(place: string, hidden: boolean) {
  try {
    return foldersToChoose(place, { hidden, limit: MOST_FOLDERS });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new HallError("path_refused", `The folder '${place}' cannot be read (${String(error.code)}).`, {
      hint: TO_CHOOSE,
    });
  }
}

function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof HallError) return error.message.replace(/^workdir: /, "");
    throw error;
  }
}
