import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { Files } from "../../store/files/files.ts";
import { entriesIn, isThere, realPlaceOf } from "../../store/files/folders.ts";
import { placeKind } from "../../store/host/host-places.ts";
import { CONFIG_FILE } from "../config-file.ts";
import { PROJECTS_FOLDER, ROLES_FILE, STATE_FOLDER } from "../layout.ts";
import { assertReadable } from "./workspace-format.ts";

/** The workspace, whose folder is made when it is not there. One that a newer program wrote is refused. */
export function openWorkspace(path: string): Files {
  const folder = workspaceFolder(path);
  const files = filesAt(folder, path);
  assertReadable(files);
  return files;
}

function filesAt(folder: string, path: string): Files {
  try {
    return new Files(folder);
  } catch (error) {
    throw refused(path, errorText(error));
  }
}

/** A workspace is a folder of its own: not the root, not the home folder, and not one that holds other things. */
export function workspaceFolder(path: string): string {
  const folder = realPlaceOf(resolve(path));
  if (folder === "/" || folder === realPlaceOf(homedir()))
    throw refused(path, "it is the root or home folder; choose a folder inside it");
  const kind = placeKind(folder);
  if (kind !== undefined && kind !== "folder") throw refused(path, "it is a file");
  const isWorkspace = [ROLES_FILE, CONFIG_FILE, STATE_FOLDER, PROJECTS_FOLDER].some((name) =>
    isThere(join(folder, name)),
  );
  if (kind !== undefined && !isWorkspace && entriesIn(folder).length > 0)
    throw refused(path, "it contains other files; choose an empty or new folder");
  return folder;
}

function refused(path: string, reason: string): HallError {
  return new HallError("workspace_refused", `'${path}' cannot be a workspace: ${reason}.`);
}
