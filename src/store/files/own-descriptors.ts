import { openSync, readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

let known: number[] | undefined;
let nothing: number | undefined;

/**
 * Descriptors, beyond the three streams, that this process was started with and would hand on to every program it starts.
 * Whatever it opens itself is closed on the way.
 */
export function inheritedDescriptors(): readonly number[] {
  known ??= descriptors().filter((fd) => fd > 2 && !isClosedOnExec(fd));
  return known;
}

/** A descriptor of nothing, to be handed on in place of another. */
export function emptyDescriptor(): number {
  nothing ??= openSync("/dev/null", "r");
  return nothing;
}

function descriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    // It was that of the folder, which is closed by now.
    return true;
  }
}
