import { globMatcher } from "../../../agent/tools/files/glob.ts";

/** The paths that patterns name. */
export interface PathScope {
  has: (path: string) => boolean;
  /** Whether a folder, `.` for the whole, may have such a path in it. */
  mayHold: (folder: string) => boolean;
}

const GLOB = /[*?[{]/;
/** Installed packages: many folders, and nothing that a person edits. */
const NEVER = "node_modules";

/** Throws HallError for a pattern with too many alternatives. */
export function pathScope(patterns: readonly string[]): PathScope {
  const matchers = patterns.map(globMatcher);
  const starts = patterns.map(startOf);
  return {
    has: (path) => matchers.some((fits) => fits(path)),
    mayHold: (folder) => {
      const names = folder === "." ? [] : folder.split("/");
      return !names.includes(NEVER) && starts.some((start) => isOnTheWay(start, names));
    },
  };
}

interface Start {
  /** The folders that a pattern names before its first sign that is no letter. */
  names: string[];
  /** How many folders a path that fits can have; undefined: any number. */
  depth: number | undefined;
}

function startOf(pattern: string): Start {
  const names = pattern.replace(/^(?:\.?\/)+/, "").split("/");
  // Without a slash it fits names in every folder.
  if (names.length === 1) return { names: [], depth: undefined };
  const first = names.findIndex((name) => GLOB.test(name));
  const isDeep = names.some((name) => name.includes("**") || /\{[^}]*$/.test(name));
  return {
    names: names.slice(0, first === -1 ? -1 : Math.min(first, names.length - 1)),
    depth: isDeep ? undefined : names.length - 1,
  };
}

function isOnTheWay({ names: start, depth }: Start, names: readonly string[]): boolean {
  if (depth !== undefined && names.length > depth) return false;
  return names.every((name, at) => at >= start.length || start[at] === name);
}
