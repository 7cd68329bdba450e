import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";

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
    const [, , , , path, options] = line.split(" ");
    if (path === undefined || options === undefined) return [];
    const plain = path.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
    return [{ path: plain, options: options.split(",") }];
  });
}
