import type { DetectedKind, TeamLessons } from "../../contract/documents/teams/team-lessons.ts";
import { KIND_TABLE, PROJECT_KINDS } from "../../contract/words/teams/project-kinds.ts";
import type { ManifestKind } from "./manifest-kind.ts";
import { kindOfPackage } from "./package-kind.ts";
import { kindOfCargo, kindOfGo, kindOfPython } from "./text-kinds.ts";

/** A folder whose manifests are read. */
export interface ManifestFiles {
  /** Relative to the project's folder. */
  paths: readonly string[];
  /** Of a file that is not read, the reason. */
  read: (path: string) => Promise<{ text: string } | { reason: string }>;
}

/** A text says why the file can't be used. `beside`: the names of the files in its folder. */
type Reader = (text: string, beside: ReadonlySet<string>) => ManifestKind | string;

const READERS: Readonly<Record<string, Reader>> = {
  "package.json": kindOfPackage,
  "pyproject.toml": kindOfPython,
  "requirements.txt": kindOfPython,
  "setup.py": kindOfPython,
  "setup.cfg": kindOfPython,
  Pipfile: kindOfPython,
  "go.mod": kindOfGo,
  "Cargo.toml": kindOfCargo,
  "mkdocs.yml": () => ({ kind: "docs", language: "markdown", because: "MkDocs settings" }),
  "book.toml": () => ({ kind: "docs", language: "markdown", because: "mdBook settings" }),
};
/** Folders whose manifests are not the project's own. */
const OTHERS =
  /(?:^|\/)(?:node_modules|vendor|testdata|tests?|fixtures?|__fixtures__|examples?|templates?|\.[^/]+|target|dist|build)\//;
const DEEPEST = 3;
const MOST_MANIFESTS = 30;
const MOST_KINDS = 8;
const MOST_UNREAD = 10;
/** A folder without manifests is documentation if more of its files than this are Markdown. */
const MOSTLY = 0.5;

/** What a project is built with, by its manifests and nothing else: the same files give the same answer. */
export async function detectKinds(files: ManifestFiles): Promise<Pick<TeamLessons, "kinds" | "unread">> {
  const found = new Map<string, DetectedKind>();
  const unread: TeamLessons["unread"] = [];
  for (const path of manifestsIn(files.paths)) {
    const folder = folderOf(path);
    const content = await files.read(path);
    const read = "reason" in content ? content.reason : readerOf(path)?.(content.text, namesIn(folder, files.paths));
    if (typeof read === "string") unread.push({ file: path, reason: read });
    if (typeof read !== "object") continue;
    const { kind, language, because } = read;
    const skills = [...KIND_TABLE[kind].skills];
    const detected = { kind, language, folder, evidence: `${path}: ${because}`, skills };
    const key = `${folder}\0${language === "typescript" ? "javascript" : language}`;
    const known = found.get(key);
    if (known === undefined || rankOf(detected) < rankOf(known)) found.set(key, detected);
  }
  const kinds = found.size === 0 ? docsIn(files.paths) : [...found.values()];
  return { kinds: kinds.slice(0, MOST_KINDS), unread: unread.slice(0, MOST_UNREAD) };
}

/** The outermost first. */
function manifestsIn(paths: readonly string[]): string[] {
  return paths
    .filter((path) => readerOf(path) !== undefined && !OTHERS.test(path) && depthOf(path) <= DEEPEST)
    .toSorted((left, right) => depthOf(left) - depthOf(right) || (left < right ? -1 : 1))
    .slice(0, MOST_MANIFESTS);
}

function docsIn(paths: readonly string[]): DetectedKind[] {
  const own = paths.filter((path) => !OTHERS.test(path));
  const pages = own.filter((path) => /\.(?:md|mdx|rst|adoc)$/i.test(path)).length;
  if (pages === 0 || pages <= own.length * MOSTLY) return [];
  const evidence = `${pages} of ${own.length} files are documents, and there is no manifest`;
  return [{ kind: "docs", language: "markdown", folder: "", evidence, skills: [...KIND_TABLE.docs.skills] }];
}

/** Of two manifests in one folder, the more specific one counts. */
function rankOf({ kind }: Pick<DetectedKind, "kind">): number {
  return PROJECT_KINDS.indexOf(kind);
}

function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return Object.hasOwn(READERS, name) ? READERS[name] : undefined;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

function depthOf(path: string): number {
  return path.split("/").length - 1;
}

function namesIn(folder: string, paths: readonly string[]): Set<string> {
  return new Set(
    paths.filter((path) => folderOf(path) === folder).map((path) => path.slice(folder.length).replace(/^\//, "")),
  );
}
