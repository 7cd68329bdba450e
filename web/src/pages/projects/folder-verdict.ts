import type { FolderList } from "../../../../src/contract/routes/folder-routes.ts";
import { failureOf } from "../../api/failure.ts";
import { capital } from "../../ui/text/capital.ts";

/** Whether a project can work in the folder that was typed, and what to say of it. */
export interface FolderVerdict {
  isUsable: boolean;
  tone: "good" | "bad" | "faint";
  text: string | undefined;
}

interface Looked {
  typed: string;
  /** What the daemon was asked for, which may be what was typed a moment ago. */
  asked: string;
  found: FolderList | undefined;
  error: unknown;
}

/** No folder at all is fine: agents then work in one of the hall. */
export function folderVerdict({ typed, asked, found, error }: Looked): FolderVerdict {
  if (typed === "") return { isUsable: true, tone: "faint", text: undefined };
  if (typed !== asked) return LOOKING;
  if (found !== undefined && found.refused === undefined)
    return { isUsable: true, tone: "good", text: found.isGit ? "✓ git repository" : "✓ folder, no git" };
  if (found !== undefined) return { isUsable: false, tone: "bad", text: capital(found.refused ?? "") };
  if (error === null) return LOOKING;
  return { isUsable: false, tone: "bad", text: reasonOf(error, typed) };
}

const LOOKING: FolderVerdict = { isUsable: false, tone: "faint", text: "Checking…" };

/** As the daemon knows them: from / on, or from a drive. */
const WHOLE_PATH = /^(?:\/|[A-Za-z]:[\\/])/;

function reasonOf(error: unknown, typed: string): string {
  const { code, message } = failureOf(error);
  if (code === "file_not_found") return "Folder not found.";
  if (code === "invalid" && !WHOLE_PATH.test(typed)) return "Enter an absolute path, starting with /.";
  return capital(message.replace(/^path: /, ""));
}

/** Where to look around while the last name of a path is not there: `/srv/sho` leads to `/srv`. */
export function folderAround(path: string): string {
  const cut = path.replace(/\/+$/, "").lastIndexOf("/");
  return cut <= 0 ? "/" : path.slice(0, cut);
}
