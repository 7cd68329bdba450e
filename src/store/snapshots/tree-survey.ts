import { type Dirent, existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "../files/folders.ts";
import { type Ground, groundOf, protectionOf } from "../files/paths.ts";
import { isSetAside } from "../files/set-aside-names.ts";

/** Made by tools and large; what changes in them is nobody's work. */
const PASSED_OVER = new Set(["node_modules", ".git", ".venv", "target", "__pycache__"]);
const MOST_ENTRIES = 20_000;

/** What a folder holds at one moment. Paths are relative to it. */
export interface TreeSurvey {
  /** Regular files and links, with what shows that they were changed. */
  stamps: Map<string, string>;
  /** Whether there was more than was looked at. */
  isPartial: boolean;
}

interface Survey extends TreeSurvey {
  root: string;
  ground: Ground;
  seen: number;
  waiting: string[];
}

/** Looks through a folder, the upper levels first, and at most so many entries. Links are not followed. */
export function surveyTree(root: string, most = MOST_ENTRIES): TreeSurvey {
  const survey: Survey = {
    root,
    ground: groundOf((name) => existsSync(join(root, name))),
    seen: 0,
    waiting: [""],
    stamps: new Map(),
    isPartial: false,
  };
  for (let folder = survey.waiting.shift(); folder !== undefined; folder = survey.waiting.shift()) {
    for (const entry of sortedIn(join(root, folder))) {
      if (++survey.seen > most) {
        survey.isPartial = true;
        return survey;
      }
      look(survey, entry, folder === "" ? entry.name : `${folder}/${entry.name}`);
    }
  }
  return survey;
}

function look(survey: Survey, entry: Dirent, path: string): void {
  if (!entry.isDirectory()) {
    const stamp = stampOf(join(survey.root, path));
    if (stamp !== undefined) survey.stamps.set(path, stamp);
  } else if (protectionOf(`${path}/x`, survey.ground) === undefined && !isPassedOver(entry.name))
    survey.waiting.push(path);
}

function isPassedOver(name: string): boolean {
  return PASSED_OVER.has(name) || isSetAside(name);
}

/** Other names of these files in a folder; all absolute. */
export function otherNames(root: string, paths: readonly string[], { stamps }: TreeSurvey): string[] {
  const linked = new Map<number, number>();
  for (const path of paths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.nlink > 1) linked.set(stats.ino, stats.nlink);
  }
  if (linked.size === 0) return [];
  const near = [...stamps].filter(([, stamp]) => linked.has(Number(stamp.split(" ", 1)[0]))).map(([path]) => path);
  const all = [...linked.values()].reduce((sum, names) => sum + names, 0);
  // One may lie where the survey does not look; it takes long to find, and is rarely needed.
  const found = near.length === all ? near : namesBelow(root, linked);
  return found.map((path) => join(root, path));
}

function namesBelow(root: string, inodes: ReadonlyMap<number, number>): string[] {
  const names: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesIn(join(root, folder))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && inodes.has(inodeOf(join(root, path)))) names.push(path);
    }
  }
  return names;
}

function inodeOf(absolute: string): number {
  return lstatSync(absolute, { throwIfNoEntry: false })?.ino ?? 0;
}

/** The paths that are new, other or gone, in order. */
export function changedPaths(before: TreeSurvey, after: TreeSurvey): string[] {
  const changed = [...after.stamps].filter(([path, stamp]) => before.stamps.get(path) !== stamp).map(([path]) => path);
  const gone = after.isPartial ? [] : [...before.stamps.keys()].filter((path) => !after.stamps.has(path));
  return [...changed, ...gone].sort();
}

function stampOf(absolute: string): string | undefined {
  try {
    const { size, mtimeMs, ctimeMs, ino, mode } = lstatSync(absolute);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs} ${mode}`;
  } catch {
    return undefined;
  }
}

function sortedIn(folder: string): Dirent[] {
  return entriesIn(folder).sort((left, right) => (left.name < right.name ? -1 : 1));
}
