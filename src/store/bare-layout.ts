/** By either of these together git takes a folder for a repository without files, and heeds its settings, or those that it names. */
const LAYOUTS = [
  ["head", "objects", "refs"],
  ["head", "commondir"],
];
/** What makes a folder such a repository, or tells git there what to do. */
const PARTS = new Set(["head", "objects", "refs", "commondir", "config", "config.worktree", "hooks", "info"]);
const MAKES_ONE = /(?:^|\/)(?:head|objects|refs|commondir)(?:\/|$)/i;

/** Whether git would take a folder with these names in it for a repository, on a disk of any kind. */
export function isBareLayout(names: Iterable<string>): boolean {
  const plain = new Set([...names].map((name) => name.toLowerCase()));
  return LAYOUTS.some((layout) => layout.every((name) => plain.has(name)));
}

/** For all files of a tree: tells of a path whether it is a part of such a folder that counts to git. */
export function barePartsIn(paths: Iterable<string>): (path: string) => boolean {
  const namesIn = new Map<string, Set<string>>();
  for (const path of paths) {
    if (!MAKES_ONE.test(path)) continue;
    for (const { folder, name } of stepsOf(path)) {
      const names = namesIn.get(folder) ?? new Set();
      namesIn.set(folder, names.add(name));
    }
  }
  const bare = new Set([...namesIn].flatMap(([folder, names]) => (isBareLayout(names) ? [folder] : [])));
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
function stepsOf(path: string): { folder: string; name: string }[] {
  const names = path.split("/");
  return names.map((name, at) => ({ folder: at === 0 ? "." : names.slice(0, at).join("/"), name }));
}
