/** By either of these together git takes a folder for a repository without files, and heeds its settings, or those that it names. */
const LAYOUTS = [
  ["head", "objects", "refs"],
  ["head", "commondir"],
];
/** What makes a folder such a repository, or tells git there what to do. */
const PARTS = new Set(["head", "objects", "refs", "commondir", "config", "config.worktree", "hooks", "info"]);
/** A file HEAD and one of these show such a repository where empty folders are not kept, as in a commit. */
const SIGN_FOLDERS = new Set(["objects", "refs"]);
const SIGN_FILES = new Set(["commondir", "config", "packed-refs"]);
const MAKES_ONE = /(?:^|\/)(?:head|objects|refs|commondir|config|packed-refs)(?:\/|$)/i;
const HAS_PART = new RegExp(`(?:^|/)(?:${[...PARTS].join("|").replaceAll(".", "\\.")})(?:/|$)`, "i");

/** Whether git would take a folder with these names in it for a repository, on a disk of any kind. */
export function isBareLayout(names: Iterable<string>): boolean {
  const plain = new Set([...names].map((name) => name.toLowerCase()));
  return LAYOUTS.some((layout) => layout.every((name) => plain.has(name)));
}

/** Whether a path could be a part of such a folder, by its names. */
export function mayBeBarePart(path: string): boolean {
  return HAS_PART.test(path);
}

/** For all files of a tree, and folders if `/` ends them: tells of a path whether it is a part of such a folder that counts to git. */
export function barePartsIn(paths: Iterable<string>): (path: string) => boolean {
  const heads = new Set<string>();
  const signs = new Set<string>();
  for (const path of paths) {
    if (!MAKES_ONE.test(path)) continue;
    for (const { folder, name, isLast } of stepsOf(path)) {
      const plain = name.toLowerCase();
      if (plain === "head" && isLast) heads.add(folder);
      if (SIGN_FOLDERS.has(plain) || (isLast && SIGN_FILES.has(plain))) signs.add(folder);
    }
  }
  const bare = heads.intersection(signs);
  return (path) => bare.size > 0 && stepsOf(path).some(({ folder, name }) => bare.has(folder) && isPart(name));
}

/** The folder that would be such a repository once there is a file at the path, if the file is a part of it that counts. */
export function bareFolderWith(path: string, namesIn: (folder: string) => readonly string[]): string | undefined {
  const steps = stepsOf(path).filter(({ name }) => isPart(name));
  return steps.find(({ folder, name }) => isBareLayout([...namesIn(folder), name]))?.folder;
}

function isPart(name: string): boolean {
  return PARTS.has(name.toLowerCase());
}

/** Each name on a path with the folder that it is in; the topmost folder is ".". */
function stepsOf(path: string): { folder: string; name: string; isLast: boolean }[] {
  const names = path.split("/");
  return names.map((name, at) => ({
    folder: at === 0 ? "." : names.slice(0, at).join("/"),
    name,
    isLast: at === names.length - 1,
  }));
}
