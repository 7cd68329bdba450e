import { readdirSync, readFileSync } from "node:fs";

/** The project processes of a workspace that are alive, whoever their parent is. */
export function projectProcesses(workspace: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const words = commandLine(pid);
      return (
        words.some((word) => word.endsWith("src/project.ts")) && words.some((word) => word.startsWith(`${workspace}/`))
      );
    })
    .map(Number);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
