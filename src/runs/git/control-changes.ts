import type { ControlFile } from "../../contract/documents/control-file.ts";
import { barePartsIn } from "../../store/git/bare-layout.ts";
import type { ControlCandidate, ControlFiles, ControlLinks, SideKind } from "../../store/git/control-files.ts";
import type { Git, GitPlace } from "./git.ts";

const KINDS: Record<string, SideKind | undefined> = { "000000": undefined, "120000": "link", "160000": "submodule" };
/** Larger contents are not compared: they count as changed. */
const LONGEST_COMPARED = 1_000_000;
const MOST_COMPARED = 500;

interface Span {
  repository: string;
  /** Commits or trees. */
  from: string;
  to: string;
  /** Where objects are that the repository does not have. */
  objects?: string | undefined;
}

interface RawChange extends ControlCandidate {
  was: string;
  is: string;
}

/** The control files that differ between two states of a repository. Renames count as one removed and one added. */
export async function controlFilesBetween(
  { git, control }: { git: Git; control: ControlFiles },
  span: Span,
): Promise<ControlFile[]> {
  const { to } = span;
  const at = placeOf(span);
  const changes = await rawChanges(git, span);
  if (changes.length === 0) return [];
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const compared = changes.filter(({ path }) => control.kindOf(path) !== undefined).slice(0, MOST_COMPARED);
  const ids = compared.flatMap(({ was, is, before, after }) => [
    ...(before === "file" ? [was] : []),
    ...(after === "file" ? [is] : []),
  ]);
  let texts: Promise<Map<string, string>> | undefined;
  const textOf = async (kind: SideKind | undefined, id: string) => {
    texts ??= contents(git, at, ids);
    return kind === undefined ? "" : (await texts).get(id);
  };
  const entries = await git.list(at, ["ls-tree", "-r", "-z", "--full-tree", to]);
  return control.among(changes, {
    links: await controlLinks({ git, control }, { at, entries }),
    // With what is gone: a part that is removed changes the repository, too.
    isRepositoryPart: barePartsIn([
      ...entries.map((entry) => entry.slice(entry.indexOf("\t") + 1)),
      ...changes.map(({ path }) => path),
    ]),
    contentsOf: async (path) => {
      const { before, after, was = "", is = "" } = byPath.get(path) ?? { before: undefined, after: undefined };
      return { before: await textOf(before, was), after: await textOf(after, is) };
    },
  });
}

function placeOf({ repository, objects }: Span): GitPlace {
  return { gitDir: repository, objects };
}

/** Without attributes, filters or renames: names and objects as the trees have them. */
async function rawChanges(git: Git, span: Span): Promise<RawChange[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];
  const parts = (await git.run(placeOf(span), [...args, span.from, span.to])).out.split("\0");
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = "", newMode = "", was = "", is = ""] = (parts[at] ?? "").replace(/^:/, "").split(" ");
    changes.push({ path: parts[at + 1] ?? "", before: kindOf(oldMode), after: kindOf(newMode), was, is });
  }
  return changes;
}

function kindOf(mode: string): SideKind | undefined {
  return mode in KINDS ? KINDS[mode] : "file";
}

/** Where links at the place of a control file lead. */
async function controlLinks(
  { git, control }: { git: Git; control: ControlFiles },
  { at, entries }: { at: GitPlace; entries: readonly string[] },
): Promise<ControlLinks> {
  const links = entries.flatMap((entry) => {
    const tab = entry.indexOf("\t");
    const [mode, , id = ""] = entry.slice(0, tab).split(" ");
    return mode === "120000" ? [{ path: entry.slice(tab + 1), id }] : [];
  });
  if (!links.some(({ path }) => control.kindOf(path, "link") !== undefined)) return new Map();
  const targets = await contents(
    git,
    at,
    links.map(({ id }) => id),
  );
  return control.linksAmong(links.map(({ path, id }) => ({ path, target: targets.get(id) ?? "" })));
}

/** By object id; those that are too large are left out. */
async function contents(git: Git, at: GitPlace, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const sizes = await git.text(at, ["cat-file", "--batch-check"], { input: lines(ids) });
  const small = sizes.split("\n").flatMap((line) => {
    const [id = "", kind, size] = line.split(" ");
    return kind === "blob" && Number(size) <= LONGEST_COMPARED ? [id] : [];
  });
  const { out } = await git.run(at, ["cat-file", "--batch"], { input: lines(small), bytes: true });
  for (let place = 0; place < out.length; ) {
    const end = out.indexOf("\n", place);
    const [id = "", , size = "0"] = out.slice(place, end).split(" ");
    const start = end + 1;
    found.set(id, Buffer.from(out.slice(start, start + Number(size)), "latin1").toString("utf8"));
    place = start + Number(size) + 1;
  }
  return found;
}

function lines(ids: readonly string[]): string {
  return [...new Set(ids)].map((id) => `${id}\n`).join("");
}
