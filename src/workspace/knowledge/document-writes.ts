import type { Found, Put } from "../../store/changes/change.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import type { Files } from "../../store/files/files.ts";
import { type Content, isPassing, type Stamp } from "../../store/files/regular-file.ts";
import { etagOf } from "../tasks/task-file.ts";

/** A document that must not be there yet. */
export function newFile(path: string, content: Content, within?: string): Put {
  return { kind: "put", path, content, base: null, within };
}

/** A document made from what was read; `before` is undefined where there was none. */
export function changedFile(path: string, content: Content, before: Content | undefined, within?: string): Put {
  return { kind: "put", path, content, base: before === undefined ? null : etagOf(before), within };
}

/** Documents as a person left them; `known` tells the version that the hall knew. One that cannot be read is left out. */
export function foundFiles(
  files: Files,
  paths: readonly string[],
  known: (path: string) => string | undefined,
): Found[] {
  return paths.flatMap((path): Found[] => {
    try {
      const content = files.exists(path) ? files.readContained(path, ".") : undefined;
      return [{ kind: "found", path, content, base: known(path) ?? null }];
    } catch {
      return [];
    }
  });
}

/** False when the name of a new file was taken in the meantime. */
export async function unlessTaken(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false;
    throw error;
  }
}

/** Null where there is no file, or none that can be read. */
export function hashIfThere(files: Files, path: string): string | null {
  try {
    return files.exists(path) ? etagOf(files.read(path)) : null;
  } catch (error) {
    if (isPassing(error)) throw error;
    return null;
  }
}

export function stampIn(stamps: ReadonlyMap<string, Stamp>, path: string): Stamp {
  const stamp = stamps.get(path);
  if (stamp === undefined) throw new Error(`${path} was not written`);
  return stamp;
}
