import { dirname, join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { Project } from "../../contract/project.ts";
import { isThere, realPlaceOf } from "../../store/folders.ts";
import { checkoutAt } from "../../store/git-checkout.ts";
import { type Git, GitFailure, type GitPlace } from "./git.ts";

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
}

const RESERVED = "guildhall/";

/** No repository, or why no run can write in the one there is. */
export type Found = Repository | HallError | undefined;

/** The repository of a project's working folder. */
export async function findRepository(git: Git, project: Project, home: string): Promise<Found> {
  if (project.workdir === undefined) return undefined;
  const workdir = realPlaceOf(project.workdir);
  if (!isInRepository(workdir, home)) return undefined;
  const at = placeAt(workdir);
  if (at === undefined) return refused(workdir, "cannot be used");
  const tooOld = await git.tooOldFor("anything");
  if (tooOld !== undefined) return refused(workdir, `cannot be used: ${tooOld}`);
  try {
    const found = checkoutAt(at.workTree ?? "");
    if (typeof found === "string") throw refused(workdir, `cannot be used: ${found}`);
    const checkout = at.workTree ?? "";
    const gitDir = found.repository;
    const prefix = workdir.slice(checkout.length + 1);
    const { code } = await git.run(at, ["check-ignore", "--quiet", "--", workdir], {
      allowed: [1, 128],
    });
    // What is done in a folder that git ignores could never be a commit.
    if (code === 0) return undefined;
    const target = project.config.branch ?? (await checkedOut(git, workdir));
    if (target.startsWith(RESERVED)) throw refused(workdir, `has '${target}' as its branch, which is made by a run`);
    if ((await git.resolve(at, `refs/heads/${target}^{commit}`)) === undefined)
      throw refused(workdir, `has no commit on the branch '${target}'`);
    return { gitDir: realPlaceOf(gitDir), checkout, prefix: prefix.replace(/\/$/, ""), target };
  } catch (error) {
    if (error instanceof HallError) return error;
    if (!(error instanceof GitFailure)) throw error;
    if (error.why === "missing") return undefined;
    return refused(workdir, `cannot be used (${error.message})`);
  }
}

async function answers(git: Git, cwd: string, flags: string[]): Promise<string[]> {
  const { out } = await git.run(placeAt(cwd) ?? { gitDir: cwd }, ["rev-parse", "--path-format=absolute", ...flags]);
  return out.split("\n");
}

async function checkedOut(git: Git, cwd: string): Promise<string> {
  const { code, out } = await git.run(placeAt(cwd) ?? { gitDir: cwd }, ["symbolic-ref", "--quiet", "--short", "HEAD"], {
    allowed: [1],
  });
  if (code === 0) return out.trim();
  const [rebase = "", apply = ""] = await answers(git, cwd, [
    "--git-path",
    "rebase-merge",
    "--git-path",
    "rebase-apply",
  ]);
  const isRebasing = isThere(rebase) || isThere(apply);
  throw refused(cwd, isRebasing ? "is in the middle of a rebase" : "has no branch checked out");
}

/** A repository that the whole home folder lies in does not count: what people keep there is about themselves. */
function isInRepository(workdir: string, home: string): boolean {
  for (let folder = workdir; folder !== home; folder = dirname(folder)) {
    if (isThere(join(folder, ".git")) || (isThere(join(folder, "HEAD")) && isThere(join(folder, "objects"))))
      return true;
    if (dirname(folder) === folder) return false;
  }
  return false;
}

function refused(workdir: string, why: string): HallError {
  return new HallError("repository_refused", `No run can write in '${workdir}': it ${why}.`);
}

function placeAt(workdir: string): GitPlace | undefined {
  for (let folder = workdir; ; folder = dirname(folder)) {
    if (isThere(join(folder, ".git"))) {
      const found = checkoutAt(folder);
      return typeof found === "string" ? undefined : { gitDir: found.records, workTree: folder };
    }
    if (dirname(folder) === folder) return undefined;
  }
}
