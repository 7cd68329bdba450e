import { join } from "node:path";
import type { Project } from "../../contract/documents/project.ts";
import type { RepositoryIdentity } from "../../contract/documents/workdir.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { isThere } from "../../store/files/folders.ts";
import { filterNames } from "../../store/git/git-attributes.ts";
import { namedCheckout, wayOut } from "../../store/git/git-checkout.ts";
import { changedError } from "../../workspace/projects/workdir-records.ts";
import type { WorkdirSight } from "../../workspace/projects/workdir-sight.ts";
import { type Git, GitFailure } from "./git.ts";

/** The repository in which a project's agents work. */
export interface Repository {
  /** What all its checkouts share: objects, branches, configuration. */
  gitDir: string;
  /** The person's checkout that the working folder lies in. */
  checkout: string;
  /** Where the working folder lies in it; empty when it is the checkout itself. */
  prefix: string;
  /** The branch that results go into. */
  target: string;
  /** Filters that its files ask for, and that are not run. */
  filters: string[];
}

const RESERVED = "guildhall/";
const MOST_ATTRIBUTE_FILES = 100;
/** A line of `ls-tree` with a file that git reads attributes from. */
const ATTRIBUTE_FILE = /[\t/]\.gitattributes$/;

/** No repository, or why no run can write in the one there is. */
export type Found = Repository | HallError | undefined;

/** The repository of a project's working folder, from what was recorded of it: git is never asked to find one. */
export async function findRepository(git: Git, project: Project, sight: WorkdirSight | undefined): Promise<Found> {
  // A folder that cannot be used is refused by whoever reads in it.
  if (sight === undefined || !("path" in sight)) return undefined;
  const { path: workdir } = sight;
  if (sight.state === "git_changed")
    return changedError(project.id, `No run can write in '${workdir}'. ${sight.changes.join(" ")}`);
  if (sight.git.state === "none") return undefined;
  if (sight.git.state === "unusable") return refused(workdir, sight.git.reason);
  const tooOld = await git.tooOldFor("anything");
  if (tooOld !== undefined) return refused(workdir, `cannot be used: ${tooOld}`);
  try {
    return await opened(git, project, { workdir, known: sight.git });
  } catch (error) {
    if (error instanceof HallError) return error;
    if (!(error instanceof GitFailure)) throw error;
    if (error.why === "missing") return undefined;
    return refused(workdir, `cannot be used (${error.message})`);
  }
}

async function opened(
  git: Git,
  project: Project,
  { workdir, known }: { workdir: string; known: RepositoryIdentity },
): Promise<Repository | undefined> {
  const doubt = doubtOf(known);
  if (doubt !== undefined) throw refused(workdir, `cannot be used: ${doubt}`);
  const { checkout, repository, records } = known;
  const at = { gitDir: records.path, workTree: checkout.path };
  const ignored = await git.run(at, ["check-ignore", "--quiet", "--", workdir], { allowed: [1, 128] });
  // What is done in a folder that git ignores could never be a commit.
  if (ignored.code === 0) return undefined;
  const target = project.config.branch ?? (await checkedOut(git, workdir, at));
  if (target.startsWith(RESERVED))
    throw refused(workdir, `has '${target}' checked out, a branch that belongs to a run`);
  const tip = await git.resolve({ gitDir: repository.path }, `refs/heads/${target}^{commit}`);
  if (tip === undefined) {
    const isEmpty = (await git.text({ gitDir: repository.path }, ["rev-list", "--all", "--max-count=1"])) === "";
    throw isEmpty ? empty(project.id, workdir) : refused(workdir, `has no commit on the branch '${target}'`);
  }
  const prefix = workdir.slice(checkout.path.length + 1);
  const filters = await filtersOf(git, repository.path, tip);
  return { gitDir: repository.path, checkout: checkout.path, prefix, target, filters };
}

/** Why a repository that is the right one is not used all the same: something in it leads elsewhere. */
function doubtOf({ checkout, repository, kind }: RepositoryIdentity): string | undefined {
  const way = wayOut(repository.path);
  if (way !== undefined) return `'${way}' leads outside it`;
  const named = kind === "folder" ? namedCheckout(repository.path) : undefined;
  return named === undefined || named === checkout.path ? undefined : `its config names '${named}' as its work tree`;
}

async function checkedOut(git: Git, workdir: string, at: { gitDir: string; workTree: string }): Promise<string> {
  const { code, out } = await git.run(at, ["symbolic-ref", "--quiet", "--short", "HEAD"], { allowed: [1] });
  if (code === 0) return out.trim();
  const isRebasing = ["rebase-merge", "rebase-apply"].some((name) => isThere(join(at.gitDir, name)));
  throw refused(workdir, isRebasing ? "is in the middle of a rebase" : "has no branch checked out");
}

/** Of the newest commit that was looked at in each repository. */
const knownFilters = new Map<string, { commit: string; names: string[] }>();

/** Those that the committed attributes ask for, at any depth. */
async function filtersOf(git: Git, gitDir: string, commit: string): Promise<string[]> {
  const known = knownFilters.get(gitDir);
  if (known?.commit === commit) return known.names;
  const at = { gitDir };
  const listed = await git.list(at, ["ls-tree", "-r", "-z", commit], { bytes: true });
  const files = listed.flatMap((line) => (ATTRIBUTE_FILE.test(line) ? [line.split(/[ \t]/)[2] ?? ""] : []));
  const names = new Set<string>();
  for (const object of files.slice(0, MOST_ATTRIBUTE_FILES))
    for (const name of filterNames(await git.text(at, ["cat-file", "blob", object]))) names.add(name);
  knownFilters.set(gitDir, { commit, names: [...names] });
  return [...names];
}

function refused(workdir: string, why: string): HallError {
  return new HallError("repository_refused", `No run can write in '${workdir}': it ${why}.`);
}

function empty(projectId: string, workdir: string): HallError {
  return new HallError(
    "repository_empty",
    `The repository in '${workdir}' has no commit yet, and agents start from one.`,
    {
      hint: hint("project-first-commit", { project: projectId }),
    },
  );
}
