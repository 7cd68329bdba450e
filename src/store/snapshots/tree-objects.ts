import { HallError } from "../../contract/errors.ts";

/**
 * What stands at a path, as one text, so that states are compared as texts:
 * `f <mode> <hash> <size>` a file, `l <target>` a link, `d <mode>` a folder, `x …` something that is not kept (too large,
 * closed to us, a pipe), of which only a change can be told.
 */
export type TreeState = string;

/** Where contents and trees are under their hashes. */
export interface Objects {
  put(bytes: Uint8Array): string;
  putTree(bytes: Uint8Array): string;
  read(hash: string): Buffer;
}

type Readable = Pick<Objects, "read">;

/** Name, state and, of a folder, the hash of its own tree. In the order of names. */
export type TreeEntry = [name: string, state: TreeState, tree?: string];

export interface PathChange {
  path: string;
  /** Undefined where there is nothing. */
  before: TreeState | undefined;
  after: TreeState | undefined;
}

export type StateKind = "file" | "link" | "folder" | "unkept";

const KINDS: Record<string, StateKind> = { f: "file", l: "link", d: "folder" };

export function kindOfState(state: TreeState): StateKind {
  return KINDS[state[0] ?? ""] ?? "unkept";
}

export const fileState = (of: { mode: number; hash: string; size: number }) =>
  `f ${octal(of.mode)} ${of.hash} ${of.size}`;
export const linkState = (target: string) => `l ${target}`;
export const folderState = (mode: number) => `d ${octal(mode)}`;
export const unkeptState = (of: { mode: number; size: number; mtimeMs: number }) =>
  `x ${octal(of.mode)} ${of.size} ${of.mtimeMs}`;

/** The parts of a state of a file, or of a folder's mode. */
export function partsOf(state: TreeState): { mode: number; hash: string; size: number } {
  const [, mode = "0", hash = "", size = "0"] = state.split(" ");
  return { mode: Number.parseInt(mode, 8), hash, size: Number(size) };
}

export function linkTarget(state: TreeState): string {
  return state.slice(2);
}

/** The folders that a path lies in, the uppermost first. */
export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join("/"));
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8);
}

export function writeTree(objects: Objects, entries: TreeEntry[]): string {
  return objects.putTree(Buffer.from(JSON.stringify(entries)));
}

function readTree(objects: Readable, tree: string | undefined): TreeEntry[] {
  return tree === undefined ? [] : (JSON.parse(objects.read(tree).toString("utf8")) as TreeEntry[]);
}

/** Undefined when the disk has lost it. */
export function treeIfKept(objects: Readable, tree: string | undefined): TreeEntry[] | undefined {
  try {
    return readTree(objects, tree);
  } catch (error) {
    if (error instanceof HallError) return undefined;
    throw error;
  }
}

/** What differs between two trees, folders before what they hold. Equal folders are not looked into. */
export function treeDifference(objects: Readable, before: string | undefined, after: string | undefined): PathChange[] {
  const changes: PathChange[] = [];
  const compare = (prefix: string, old: string | undefined, fresh: string | undefined): void => {
    if (old === fresh) return;
    const was = new Map(readTree(objects, old).map((entry) => [entry[0], entry]));
    const is = new Map(readTree(objects, fresh).map((entry) => [entry[0], entry]));
    for (const name of [...new Set([...was.keys(), ...is.keys()])].sort()) {
      const [, wasState, wasTree] = was.get(name) ?? [];
      const [, isState, isTree] = is.get(name) ?? [];
      if (wasState !== isState) changes.push({ path: prefix + name, before: wasState, after: isState });
      compare(`${prefix}${name}/`, wasTree, isTree);
    }
  };
  compare("", before, after);
  return changes;
}

/** The state of one path in a tree. */
export function stateIn(objects: Readable, tree: string, path: string): TreeState | undefined {
  const names = path.split("/");
  let at: string | undefined = tree;
  for (const [depth, name] of names.entries()) {
    const entry: TreeEntry | undefined = readTree(objects, at).find((one) => one[0] === name);
    if (entry === undefined || depth === names.length - 1) return entry?.[1];
    if (entry[2] === undefined) return undefined;
    at = entry[2];
  }
  return undefined;
}

/** Every link in a tree, as far as it is kept. */
export function linksIn(objects: Readable, tree: string, prefix = ""): { path: string; target: string }[] {
  return (treeIfKept(objects, tree) ?? []).flatMap(([name, state, inner]) => {
    if (kindOfState(state) === "link") return [{ path: prefix + name, target: linkTarget(state) }];
    return inner === undefined ? [] : linksIn(objects, inner, `${prefix}${name}/`);
  });
}

/** Every path in a tree, as far as it is kept; a folder ends in `/`. */
export function* pathsIn(objects: Readable, tree: string, prefix = ""): Generator<string> {
  for (const [name, , inner] of treeIfKept(objects, tree) ?? []) {
    yield inner === undefined ? prefix + name : `${prefix}${name}/`;
    if (inner !== undefined) yield* pathsIn(objects, inner, `${prefix}${name}/`);
  }
}

/** Every object that a tree needs, itself included, as far as it is kept; those in `known` are not looked into again. */
export function objectsOf(objects: Readable, tree: string, known: Set<string>): void {
  if (known.has(tree)) return;
  known.add(tree);
  for (const [, state, inner] of treeIfKept(objects, tree) ?? []) {
    if (kindOfState(state) === "file") known.add(partsOf(state).hash);
    if (inner !== undefined) objectsOf(objects, inner, known);
  }
}

/** Whether it and every tree in it can be read; those in `known` are not looked into again. */
export function isWholeTree(objects: Readable, tree: string, known: Map<string, boolean>): boolean {
  const entries = known.has(tree) ? [] : treeIfKept(objects, tree);
  const isWhole =
    known.get(tree) ?? entries?.every(([, , inner]) => inner === undefined || isWholeTree(objects, inner, known));
  known.set(tree, isWhole ?? false);
  return isWhole ?? false;
}
