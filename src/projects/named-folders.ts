import { posix } from "node:path";
import { isWithin, realPlaceOf } from "../store/files/folders.ts";

/** What may stand right before a path that somebody wrote, and right after it. */
const BEFORE = /[\s"'`“„«‘(<[{=:,;]/;
const AFTER = /^\/?(?:$|[\s"'`”“»’)>\]},;]|[.:!?]+(?:$|[\s"'`”“»’)>\]}]))/;

/** Folders of the system, with all that is in them. */
const SYSTEM = ["/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/System", "/Library"];
const SYSTEM_PARTS = ["/usr/bin", "/usr/sbin", "/usr/lib", "/var/lib", "/var/log", "/var/run", "/private/etc"];
/** Folders that hold the work of everybody: one in them is fine, all of it is not. */
const SHARED = ["/", "/home", "/mnt", "/opt", "/run", "/srv", "/tmp", "/usr", "/var", "/Users", "/Volumes"];
/** Hidden folders at home hold keys, sessions and settings of programs. */
const HIDDEN_AT_HOME = /^\.(?!\.)/;

/**
 * Why a text does not name a folder that a project may be given; undefined when it does. A part of a path in the text is not
 * named by it. Folders of the system, and those with all that the person has, are refused whatever is written.
 */
export function unnamed(folder: string, { text, home }: { text: string; home: string }): string | undefined {
  const plain = folder.length > 1 ? folder.replace(/\/$/, "") : folder;
  if (!posix.isAbsolute(plain) || posix.normalize(plain) !== plain) return "it is not a plain absolute path";
  const refusal = [plain, realPlaceOf(plain)].map((place) => refusalOf(place, home)).find((why) => why !== undefined);
  if (refusal !== undefined) return refusal;
  const spellings = [plain, ...(isWithin(plain, home) ? [`~${plain.slice(home.length)}`] : [])];
  return spellings.some((path) => isWritten(text, path)) ? undefined : "the person's message does not name it";
}

function refusalOf(place: string, home: string): string | undefined {
  for (const at of [home, realPlaceOf(home)]) {
    if (isWithin(at, place)) return "it contains all of the person's files";
    if (isWithin(place, at) && HIDDEN_AT_HOME.test(place.slice(at.length + 1)))
      return "it is a hidden folder in the person's home, which contains keys and settings";
  }
  if (SHARED.includes(place)) return "it contains more than one project";
  const isSystem = [...SYSTEM, ...SYSTEM_PARTS].some((at) => isWithin(place, at));
  return isSystem ? "it belongs to the system" : undefined;
}

function isWritten(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const isFirst = at === 0 || BEFORE.test(text.charAt(at - 1));
    if (isFirst && AFTER.test(text.slice(at + path.length, at + path.length + 20))) return true;
  }
  return false;
}
