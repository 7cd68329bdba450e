import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { realPlaceOf } from "../files/folders.ts";

/** What a path of the machine leads to, through links; undefined when nothing that can be reached. */
export function placeKind(absolute: string): "folder" | "file" | "special" | undefined {
  try {
    const stats = statSync(absolute, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "special";
  } catch {
    return undefined;
  }
}

/** Where a link points, as it is written; undefined when it is none. */
export function linkTarget(absolute: string): string | undefined {
  try {
    return lstatSync(absolute).isSymbolicLink() ? readlinkSync(absolute) : undefined;
  } catch {
    return undefined;
  }
}

export interface MountPoint {
  path: string;
  /** What of its file system is shown there. */
  root: string;
  options: readonly string[];
}

/** What is mounted where, as the kernel tells it; empty on systems that do not. */
export function mountPoints(): MountPoint[] {
  let text: string;
  try {
    text = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [, , , root, path, options] = line.split(" ");
    if (root === undefined || path === undefined || options === undefined) return [];
    return [{ path: plainOf(path), root: plainOf(root), options: options.split(",") }];
  });
}

/** Letters beyond ASCII stand there as they are. */
function plainOf(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** A path as the kernel writes it where it tells of mounts. */
export function mountText(path: string): string {
  return path.replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

/** PATH without what agents can write, and without what depends on where a program is started. */
export function pathWithout(agentFolders: readonly string[]): string {
  const isAgents = (path: string) => agentFolders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const isKept = (path: string) => path.startsWith("/") && ![path, realPlaceOf(path)].some(isAgents);
  return (process.env.PATH ?? "").split(":").filter(isKept).join(":");
}

/**
 * Where the hall looks for the programs that it starts itself, outside every sandbox. Package runners put folders of the code
 * that they are called in before all others: those are not among it.
 */
export function programPath(agentFolders: readonly string[]): string {
  const folders = pathWithout(agentFolders).split(":");
  const safe = folders.filter((path) => path !== "" && !path.split("/").includes("node_modules"));
  return safe.length === 0 ? "/usr/bin:/bin" : safe.join(":");
}
