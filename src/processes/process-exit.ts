/** How many megabytes of objects the process of a project may have. */
export const HEAP_MB = 512;

export interface ProcessExit {
  /** `memory`: it used more than it may. */
  kind: "memory" | "crashed";
  /** What ended it, for people to read. */
  cause: string;
  expected: boolean;
}

/** What Node's last words on standard error say of its end; `how` is the exit code or the signal. */
export function exitOf(how: string, stderr: string): Pick<ProcessExit, "kind" | "cause"> {
  if (/heap out of memory/i.test(stderr)) return { kind: "memory", cause: `it used more than ${HEAP_MB} MB of memory` };
  const lines = stderr.trim().split("\n");
  const said =
    lines.find((line) => /^\s*(?:Uncaught )?\w*Error\b/.test(line)) ?? lines.find((line) => /error/i.test(line));
  return { kind: "crashed", cause: said === undefined ? how : `${how} (${said.trim().slice(0, 200)})` };
}
