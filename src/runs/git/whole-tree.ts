import { setImmediate as nextTurn } from "node:timers/promises";
import { FolderReader, type Standing } from "../../store/files/folder-reader.ts";
import { isTemporary } from "../../store/files/leftovers.ts";
import { assertCommittable, type CommitLimits } from "./commit-limits.ts";
import { type Git, GitFailure, type GitPlace } from "./git.ts";

/** What git knows, by its sign: how it is kept, and what differs from that. */
const GITLINK = /^[HSM] 160000 /;
const CHANGED = "C ";
const entryIn = (line: string) => line.slice(line.indexOf("\t") + 1);
/** The sign of what git does not know yet, before the path. */
const OTHER = "? ";
const pathIn = (line: string) => line.slice(OTHER.length);
/** Files that are looked at before others have their turn: an agent may leave very many. */
const LOOKS_AT_ONCE = 200;
/** However it is spelled, git takes no such name. */
const OWN_NAME = ".git";

interface Looked {
  at: GitPlace;
  /** Absolute. */
  folder: string;
  /** An index that stands in for the worktree's own; it is changed. */
  index: string;
  limits: CommitLimits;
  /** To look, not to save: what is over the limits, or has a name that git refuses, is left out and named. */
  isGlance?: boolean;
}

export interface WholeTree {
  tree: string;
  /** Submodules in which something lies: what that is, no tree can hold. */
  submodules: string[];
  /** Files that a glance did not read. */
  leftOut: string[];
}

/**
 * Everything in a worktree that is not ignored, as a tree. `git add` would not do: it runs git in every repository that it
 * finds on the way, with the configuration that it finds there, and keeps of such a repository nothing but a name.
 */
export async function wholeTree(git: Git, looked: Looked): Promise<WholeTree> {
  const { at, index } = looked;
  const reader = new FolderReader(looked.folder);
  const list = (...args: string[]) => git.list(at, ["ls-files", "-z", ...args], { index, bytes: true });
  const listed = await list("-t", "--stage", "--modified", "--others", "--exclude-standard");
  const links = listed.filter((line) => GITLINK.test(line)).map(entryIn);
  const others = listed
    .filter((line) => line.startsWith(OTHER))
    .map(pathIn)
    .filter(isOwn);
  const changed = new Set(listed.filter((line) => line.startsWith(CHANGED)).map(entryIn)).difference(new Set(links));
  const kept = await sizesOf(reader, changed);
  const gone = [...changed].filter((path) => !kept.has(path));
  const found = [
    ...kept.keys(),
    ...others.filter((path) => !path.endsWith("/")),
    ...(await inside(git, looked, { reader, folders: others.filter((path) => path.endsWith("/")) })),
  ];
  const sizes = await sizesOf(reader, found);
  const leftOut = new Set(looked.isGlance ? overLimits(sizes, looked.limits) : []);
  if (!looked.isGlance)
    assertCommittable(
      [...sizes].map(([path, size]) => ({ path: textOf(path), size })),
      looked.limits,
    );
  const enter = async (args: string[], lines: string[]) => {
    const input = lines.map((line) => `${line}\0`).join("");
    if (lines.length > 0) await git.run(at, ["update-index", "-z", ...args], { index, bytes: true, input });
  };
  const none = "0".repeat(listed.find((line) => !line.startsWith(OTHER))?.split(" ")[2]?.length ?? 0);
  await enter(
    ["--index-info"],
    gone.map((path) => `0 ${none}\t${path}`),
  );
  const taken = found.filter((path) => !leftOut.has(path));
  // While an agent works, a file may be gone by now.
  await enter(["--add", "--replace", ...(looked.isGlance ? ["--remove"] : []), "--stdin"], taken);
  // Names that mean something to git on other machines, such as .GIT, it passes over without a word.
  const left = found.length === 0 || looked.isGlance ? [] : await list("--others", "--exclude-standard");
  const refused = left.filter(isOwn).find((path) => !path.endsWith("/"));
  if (refused !== undefined) throw new GitFailure(`git rejects the file name '${textOf(refused)}'`);
  return {
    tree: await git.text(at, ["write-tree"], { index }),
    submodules: links.filter((path) => isUsed(reader, path)),
    leftOut: [...leftOut].map(textOf),
  };
}

/** Files that are too large, and those after which all of them are. */
function overLimits(sizes: ReadonlyMap<string, number>, { file, total }: CommitLimits): string[] {
  let sum = 0;
  return [...sizes].flatMap(([path, size]) => {
    if (size <= file && sum + size <= total) {
      sum += size;
      return [];
    }
    return [path];
  });
}

/** What git does not know and an interrupted write left belongs to nobody. */
function isOwn(path: string): boolean {
  return !isTemporary(path);
}

/** The files of repositories that lie in the worktree, with all that they have around them. */
async function inside(
  git: Git,
  { at, index }: Looked,
  { reader, folders }: { reader: FolderReader; folders: string[] },
): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders)
    for (const path of filesBelow(reader, folder.slice(0, -1)))
      if (paths.push(path) % LOOKS_AT_ONCE === 0) await nextTurn();
  if (paths.length === 0) return [];
  const { out } = await git.run(at, ["check-ignore", "-z", "--stdin"], {
    index,
    bytes: true,
    input: paths.map((path) => `${path}\0`).join(""),
    allowed: [1],
  });
  const ignored = new Set(out.split("\0"));
  return paths.filter((path) => !ignored.has(path));
}

function* filesBelow(reader: FolderReader, folder: string): Generator<string> {
  for (const { name, kind } of reader.entries(textOf(folder))) {
    if (name.toLowerCase() === OWN_NAME) continue;
    const path = `${folder}/${bytesOf(name)}`;
    if (kind === "folder") yield* filesBelow(reader, path);
    else if (isFile(kind)) yield path;
  }
}

/** Of the paths that a file or a link is at, in their order. */
export async function sizesOf(reader: FolderReader, paths: Iterable<string>): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  let looked = 0;
  for (const path of paths) {
    if (++looked % LOOKS_AT_ONCE === 0) await nextTurn();
    const { kind, size = 0 } = standingOf(reader, path) ?? {};
    if (isFile(kind)) sizes.set(path, size);
  }
  return sizes;
}

function isFile(kind: Standing["kind"] | undefined): boolean {
  return kind === "file" || kind === "link";
}

/** What stands at a path that no link leads to. */
function standingOf(reader: FolderReader, path: string): Standing | undefined {
  const text = textOf(path);
  try {
    const slash = text.lastIndexOf("/");
    if (slash !== -1 && reader.placeOf(text.slice(0, slash)) !== text.slice(0, slash)) return undefined;
    return reader.standing(text);
  } catch {
    return undefined;
  }
}

function isUsed(reader: FolderReader, path: string): boolean {
  const kind = standingOf(reader, path)?.kind;
  if (kind !== "folder") return kind !== undefined;
  for (const _ of reader.entries(textOf(path))) return true;
  return false;
}

/** git's paths are bytes, read here as one character each; those of files are texts. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
