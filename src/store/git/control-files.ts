import { posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ControlFile, ControlSettings } from "../../contract/documents/control-file.ts";
import {
  CONTROL_KINDS,
  type ControlKind,
  type ControlPattern,
  DEFAULT_CONTROL_PATTERNS,
} from "../../contract/documents/control-patterns.ts";
import { plainName } from "../files/paths.ts";
import { foldersAbove } from "../snapshots/tree-objects.ts";

/** A link and a submodule stand for everything that lies behind them. */
export type SideKind = "file" | "link" | "submodule";

/** A path that differs between two states. `undefined`: it is not there. */
export interface ControlCandidate {
  path: string;
  before: SideKind | undefined;
  after: SideKind | undefined;
}

/** Both contents of a file: empty where there is none, undefined where it cannot be read. */
export type ContentsOf = (path: string) => Promise<{ before: string | undefined; after: string | undefined }>;

/** By the path that links lead to, the path of the control file that it is found as. Both from the same folder. */
export type ControlLinks = ReadonlyMap<string, string>;

export interface ControlContext {
  contentsOf: ContentsOf;
  links: ControlLinks;
  /** Whether a path is a part of a folder that git would take for a repository, with settings of its own. */
  isRepositoryPart?: (path: string) => boolean;
}

export interface FoundLink {
  path: string;
  target: string;
}

interface Compiled {
  kind: ControlKind;
  segments: RegExp[];
  isFolder: boolean;
  isAnchored: boolean;
  keys: readonly string[] | undefined;
  dependencies: readonly string[];
}

interface Name {
  plain: string;
  beginning: Compiled[];
}

const MOST_NAMES = 20_000;
/** Links that lead to links. The system follows 40 of them. */
const MOST_STEPS = 40;

/** A registry's versions and tags have neither `:` nor `/`; these prefixes stand for a registry or the repository itself. */
const FROM_REGISTRY = /^(?:[^:/]*$|npm:|workspace:|catalog:)/;

type Counted = Pick<Compiled, "dependencies"> & { keys: readonly string[] };
type Found = Pick<Compiled, "kind" | "keys" | "dependencies">;

/** Tells which changed files steer the person's tools. */
export class ControlFiles {
  readonly #patterns: Compiled[];
  /** Names repeat: which patterns may begin with one is found out once. */
  readonly #names = new Map<string, Name>();

  constructor({ add, remove }: ControlSettings = { add: [], remove: [] }) {
    const kept = DEFAULT_CONTROL_PATTERNS.filter(({ pattern }) => !remove.includes(pattern));
    this.#patterns = [...add, ...kept].map((entry) => compiled(entry));
  }

  /** By its path alone; a file of which only some keys count is one, too. */
  kindOf(path: string, side: SideKind = "file"): ControlKind | undefined {
    return this.#match(path, side)?.kind;
  }

  /** Those among the changes that a person must see first, in the order of kinds and paths. */
  async among(changes: readonly ControlCandidate[], context: ControlContext): Promise<ControlFile[]> {
    const found: ControlFile[] = [];
    for (const { path, before, after } of changes) {
      const sides = [before, after].filter((side) => side !== undefined);
      const isOfGit = sides.includes("submodule") || context.isRepositoryPart?.(path) === true;
      const kind = isOfGit ? "git" : await this.#kindOf({ path, sides }, context);
      const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
      if (kind !== undefined) found.push({ path, kind, change });
    }
    return found.sort(byKind);
  }

  /** Where links lead that are at the place of a control file, also through other links. `links`: all of the folder. */
  linksAmong(links: readonly FoundLink[]): ControlLinks {
    const found = new Map<string, string>();
    const byPlace = Map.groupBy(
      links.flatMap((link) => [link.path, ...foldersAbove(link.path)].map((place) => ({ place, link }))),
      ({ place }) => place,
    );
    const at = (place: string) => (byPlace.get(place) ?? []).map(({ link }) => link);
    let fresh = links.map((link): [string, string] => [endOf(link), link.path]).filter(([, name]) => this.#hides(name));
    for (let steps = 0; steps < MOST_STEPS && fresh.length > 0; steps++) {
      for (const [end, name] of fresh) found.set(end, name);
      const next = fresh.flatMap((known) => onward(known, at));
      fresh = next.filter(([end, name]) => !found.has(end) && this.#hides(name));
    }
    return found;
  }

  #hides(path: string): boolean {
    return this.#match(path, "link") !== undefined;
  }

  async #kindOf({ path, sides }: { path: string; sides: SideKind[] }, context: ControlContext) {
    const isLink = sides.includes("link");
    const names = [path, ...otherNames(path, context.links)];
    const found = names.map((name) => this.#match(name, isLink ? "link" : "file")).find((match) => match !== undefined);
    if (found?.keys === undefined || isLink) return found?.kind;
    const { before, after } = await context.contentsOf(path);
    const { keys, dependencies } = found;
    return isSame(before, after, { keys, dependencies }) ? undefined : found.kind;
  }

  #match(path: string, side: SideKind): Found | undefined {
    const names = path.split("/").map((name) => this.#name(name));
    for (const [start, { beginning }] of names.entries())
      for (const pattern of beginning) if (fits(pattern, { names, start, hidesMore: side !== "file" })) return pattern;
    return undefined;
  }

  #name(given: string): Name {
    const known = this.#names.get(given);
    if (known !== undefined) return known;
    const plain = comparable(given);
    const name = { plain, beginning: this.#patterns.filter(({ segments }) => segments[0]?.test(plain)) };
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    this.#names.set(given, name);
    return name;
  }
}

function endOf({ path, target }: FoundLink): string {
  return posix.join(posix.dirname(path), target).replace(/\/$/, "");
}

/** Where links lead that are inside of what a known one leads to, or on the way there. `at`: all at or below a place. */
function onward([end, name]: [string, string], at: (place: string) => FoundLink[]): [string, string][] {
  const passed = [end, ...foldersAbove(end)].flatMap((place) => at(place).filter(({ path }) => path === place));
  const inside = at(end).filter(({ path }) => path !== end);
  return [
    ...passed.map((link): [string, string] => [endOf(link) + end.slice(link.path.length), name]),
    ...inside.map((link): [string, string] => [endOf(link), name + link.path.slice(end.length)]),
  ];
}

/** The paths under which links show a file. */
function otherNames(path: string, links: ControlLinks): string[] {
  return [...links].flatMap(([target, link]) =>
    path === target || path.startsWith(`${target}/`) ? [link + path.slice(target.length)] : [],
  );
}

interface Place {
  names: readonly Name[];
  start: number;
  /** A link or a folder at '.github' decides what '.github/workflows' is. */
  hidesMore: boolean;
}

function fits({ segments, isFolder, isAnchored }: Compiled, { names, start, hidesMore }: Place): boolean {
  if (isAnchored && start > 0) return false;
  const rest = names.slice(start, start + segments.length);
  if (!rest.every(({ plain }, at) => segments[at]?.test(plain))) return false;
  return rest.length < segments.length ? hidesMore : isFolder || start + rest.length === names.length;
}

function compiled({ pattern, kind, keys, dependencies = [] }: ControlPattern): Compiled {
  const names = pattern.split("/").filter((name) => name !== "");
  const quoted = (text: string) => text.replace(/[$()+.?[\\\]^{|}]/g, "\\$&").replaceAll("*", ".*");
  return {
    kind,
    segments: names.map((name) => new RegExp(`^${quoted(comparable(name))}$`, "su")),
    isFolder: pattern.endsWith("/"),
    isAnchored: pattern.startsWith("/"),
    keys,
    dependencies,
  };
}

/** A name as file systems compare it that ignore case, Unicode form, what is invisible, and dots and spaces at the end. */
function comparable(name: string): string {
  return plainName(name)
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<=.)[. ]+$/, "");
}

/** Whether two JSON files say the same in what counts. What cannot be read or compared could say anything. */
function isSame(before: string | undefined, after: string | undefined, counted: Counted): boolean {
  try {
    const [was, is] = [valuesOf(before, counted), valuesOf(after, counted)];
    return was !== undefined && is !== undefined && isDeepStrictEqual(was, is);
  } catch {
    return false;
  }
}

/** Throws where a text is no JSON, or nested too deeply. */
function valuesOf(text: string | undefined, { keys, dependencies }: Counted): unknown[] | undefined {
  if (text === undefined) return undefined;
  const parsed: unknown = text === "" ? {} : JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  const values = new Map(Object.entries(parsed));
  return [...keys.map((key) => values.get(key)), ...dependencies.map((key) => elsewhere(values.get(key)))];
}

/** The dependencies that are files, addresses or repositories: an install runs their scripts, which nobody reviewed. */
function elsewhere(given: unknown): unknown {
  if (typeof given === "string") return FROM_REGISTRY.test(given.trim()) ? undefined : given;
  if (typeof given !== "object" || given === null) return undefined;
  const found = Object.entries(given).flatMap(([name, value]) => {
    const kept = elsewhere(value);
    return kept === undefined ? [] : [[name, kept]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function byKind(one: ControlFile, other: ControlFile): number {
  const order = CONTROL_KINDS.indexOf(one.kind) - CONTROL_KINDS.indexOf(other.kind);
  return order !== 0 ? order : one.path < other.path ? -1 : 1;
}
