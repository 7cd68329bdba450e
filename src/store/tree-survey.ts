import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { realPlaceOf } from "./folders.ts";
import { protectionOf } from "./paths.ts";

/** Made by tools and large; what changes in them is nobody's work. */
const PASSED_OVER = new Set(["node_modules", ".git", ".venv", "target", "__pycache__"]);
const MOST_ENTRIES = 20_000;

/** What a folder holds at one moment. Paths are relative to it. */
export interface TreeSurvey {
  /** Regular files and links, with what shows that they were changed. */
  stamps: Map<string, string>;
  /** Files and folders that usually hold secrets. */
  secrets: string[];
  /** Files and folders that steer the hall or other tools. */
  controls: string[];
  /** Whether there was more than was looked at. */
  isPartial: boolean;
}

interface Survey extends TreeSurvey {
  root: string;
  seen: number;
  waiting: string[];
}

/** Looks through a folder, the upper levels first, and at most so many entries. Links are not followed. */
export function surveyTree(root: string, most = MOST_ENTRIES): TreeSurvey {
  const survey: Survey = {
    root,
    seen: 0,
    waiting: [""],
    stamps: new Map(),
    secrets: [],
    controls: [],
    isPartial: false,
  };
  for (let folder = survey.waiting.shift(); folder !== undefined; folder = survey.waiting.shift()) {
    for (const entry of entriesOf(join(root, folder))) {
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
  const isFolder = entry.isDirectory();
  const protection = protectionOf(isFolder ? `${path}/x` : path);
  if (protection === "secret") survey.secrets.push(...secretPlaces(survey.root, entry, path));
  else if (protection === "control" && !entry.isSymbolicLink()) survey.controls.push(path);
  if (!isFolder) {
    const stamp = stampOf(join(survey.root, path));
    if (stamp !== undefined) survey.stamps.set(path, stamp);
  } else if (protection === undefined && !PASSED_OVER.has(entry.name)) survey.waiting.push(path);
}

/** A link is as secret as what it leads to, if that lies here. */
function secretPlaces(root: string, entry: Dirent, path: string): string[] {
  if (!entry.isSymbolicLink()) return [path];
  const place = realPlaceOf(join(root, path));
  const base = realPlaceOf(root);
  return place.startsWith(`${base}/`) && place !== join(base, path) ? [place.slice(base.length + 1)] : [];
}

/** The paths that are new, other or gone, in order. */
export function changedPaths(before: TreeSurvey, after: TreeSurvey): string[] {
  const changed = [...after.stamps].filter(([path, stamp]) => before.stamps.get(path) !== stamp).map(([path]) => path);
  const gone = after.isPartial ? [] : [...before.stamps.keys()].filter((path) => !after.stamps.has(path));
  return [...changed, ...gone].sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

function stampOf(absolute: string): string | undefined {
  try {
    const { size, mtimeMs, ctimeMs, ino, mode } = lstatSync(absolute);
    return `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`;
  } catch {
    return undefined;
  }
}
