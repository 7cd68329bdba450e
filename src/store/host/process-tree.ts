import { readdirSync, readFileSync } from "node:fs";

/** A process and everything that descends from it, as the kernel tells it; empty on systems that do not. */
export function processTree(first: number, parents = parentsOfAll()): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  const tree = parents.has(first) ? [first] : [];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** The parent of every process of the machine. */
export function parentsOfAll(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of processNames()) {
    const stat = told(`${name}/stat`);
    // The name of the program stands in brackets and may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 2)[1]);
    if (stat !== "" && parent >= 0) parents.set(Number(name), parent);
  }
  return parents;
}

/** Whether a process is gone, or only waits for its parent to look at how it ended. */
export function hasEnded(pid: number): boolean {
  const stat = told(`${pid}/stat`);
  return stat === "" || /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

/** Bytes of memory that are nobody's file. What processes share counts for each of them. */
export function residentBytes(pid: number): number {
  return kilobytes(told(`${pid}/status`), /^Rss(?:Anon|Shmem):\s+(\d+)/gm);
}

/** As residentBytes, but what processes share is divided among them. Takes longer to find out. */
export function ownBytes(pid: number): number {
  const shares = told(`${pid}/smaps_rollup`);
  return shares.includes("\nPss_Anon:")
    ? kilobytes(shares, /^Pss_(?:Anon|Shmem):\s+(\d+)/gm)
    : shares === ""
      ? residentBytes(pid)
      : kilobytes(shares, /^Pss:\s+(\d+)/gm);
}

/** What a process has written, with those of its children that it has seen end; undefined when it is not told. */
export function writtenBytes(pid: number): number | undefined {
  const io = told(`${pid}/io`);
  if (io === "") return undefined;
  // One counts what went through calls, the other what was changed in memory and goes to a disk.
  return Math.max(...["wchar", "write_bytes"].map((name) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io)?.[1])));
}

/**
 * How many filters of system calls hold a process, by its status as the kernel tells it; of this one unless given. Before
 * Linux 5.9 the number is not told: undefined.
 */
export function callFilters(status = told("self/status")): number | undefined {
  const count = /^Seccomp_filters:\s*(\d+)/m.exec(status)?.[1];
  return count === undefined ? undefined : Number(count);
}

function processNames(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Processes end while they are looked at. */
function told(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return "";
  }
}

function kilobytes(text: string, lines: RegExp): number {
  return [...text.matchAll(lines)].reduce((sum, [, number]) => sum + Number(number) * 1_024, 0);
}
