import { readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";

export const MEMORY_FOLDER = "/dev/shm";
const TMPFS = 0x01021994;
/** Far more than all workers together need at a time. */
const ROOM = 4 * 1024 ** 3;

/**
 * A folder in memory for what tests write, which spares them the disk; undefined where there is none with room in which
 * programs can be started, and where the person says with TMPDIR where temporary files go.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== "linux" || process.env.TMPDIR !== undefined) return undefined;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return type === TMPFS && bavail * bsize >= ROOM && startsPrograms() ? MEMORY_FOLDER : undefined;
  } catch {
    return undefined;
  }
}

function startsPrograms(): boolean {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  // The last one that is mounted there counts.
  const options = mounts.map((line) => line.split(" ")).findLast((fields) => fields[4] === MEMORY_FOLDER)?.[5];
  return options?.split(",").includes("noexec") === false;
}

const LEFT_AFTER_MS = 24 * 3_600_000;

/** Frees the memory that runs of the tests hold which were killed the day before. */
export function clearMemoryFolder(): void {
  const folder = memoryFolder();
  if (folder === undefined) return;
  const isLeft = (path: string) =>
    Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > LEFT_AFTER_MS;
  const made = readdirSync(folder).filter((name) => name.startsWith("guildhall-test-"));
  for (const path of made.map((name) => join(folder, name)).filter(isLeft))
    rmSync(path, { recursive: true, force: true });
}
