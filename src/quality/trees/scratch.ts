import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entriesIn, isWithin, makeFolder, realPlaceOf, removeLargeFolder } from "../../store/files/folders.ts";
import { codeOf } from "../../store/files/regular-file.ts";

const PLAIN = /^guildhall-check-(\d{1,10})-[\da-f-]{36}$/;

/**
 * A private folder for a check outside any workspace; absolute. Those of processes that ended without removing theirs go, but never the
 * one that this process works in: in a sandbox, the process that has it is not to be seen.
 */
export async function temporaryGatesFolder(
  parent = realPlaceOf(tmpdir()),
  here = realPlaceOf(process.cwd()),
): Promise<string> {
  for (const entry of entriesIn(parent)) {
    const pid = PLAIN.exec(entry.name)?.[1];
    if (pid === undefined || !entry.isDirectory() || isAlive(Number(pid))) continue;
    if (isWithin(here, join(parent, entry.name))) continue;
    // Another person's can't be removed, and need not be.
    await removeLargeFolder(join(parent, entry.name)).catch(() => undefined);
  }
  const folder = join(parent, `guildhall-check-${process.pid}-${randomUUID()}`);
  makeFolder(folder);
  return folder;
}

/** One that may not be asked is another person's, and alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
