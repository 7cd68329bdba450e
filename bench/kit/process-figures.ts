import { readdirSync, readFileSync } from "node:fs";

/** Memory of a process in MB, with its share of the pages that others hold too. */
export function pssOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? Number.NaN) / 1_024;
}

/** Processor time of a process and all its threads so far, in ticks of 10 ms. */
export function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Those that a process has started, whichever of its threads did. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
}

export function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean).join(" ");
}

/** How often memory is looked at. */
const LOOK_MS = 50;

/** The most memory (PSS) in MB that a process and those below it have together while the work is done. */
export async function peakMemory(
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ daemon: number; children: number }> {
  let peak = { daemon: 0, children: 0 };
  const look = () => {
    const now = { daemon: pssOf(pid), children: below(pid).reduce((sum, child) => sum + pssIfThere(child), 0) };
    if (now.daemon + now.children > peak.daemon + peak.children) peak = now;
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

/** All that a process has started, and what they have. */
function below(pid: number): number[] {
  try {
    return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
  } catch {
    return [];
  }
}

/** Commands come and go. */
function pssIfThere(pid: number): number {
  try {
    return pssOf(pid) || 0;
  } catch {
    return 0;
  }
}
