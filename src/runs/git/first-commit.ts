import type { Project } from "../../contract/documents/project.ts";
import type { RepositoryIdentity } from "../../contract/documents/workdir.ts";
import { HallError } from "../../contract/errors.ts";
import type { Core } from "../../workspace/core.ts";
import type { Git } from "./git.ts";

export interface FirstCommit {
  commit: string;
  branch: string;
  files: number;
  /** Files that look like secrets. */
  omitted: string[];
}

const MESSAGE = "Initial commit";
const NEVER_BEFORE = "0".repeat(40);
/** Files that often hold keys or passwords. Examples of them do not. */
const SECRET =
  /(?:^|\/)(?:\.env(?:rc|[._-].*)?|\.netrc|\.npmrc|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|key|p12|pfx))$/i;
const EXAMPLE = /\.(?:example|sample|template|dist)$/i;

/**
 * Commits the files of a repository that has no commit: agents start from one. What git ignores, and what looks like a secret,
 * stays out. Throws when there is no such repository.
 */
export async function createFirstCommit(
  git: Git,
  core: Pick<Core, "workdirRecords">,
  project: Project,
): Promise<FirstCommit> {
  const { records, checkout } = repositoryIn(core, project);
  const at = { gitDir: records.path, workTree: checkout.path };
  const head = await git.run(at, ["symbolic-ref", "--quiet", "HEAD"], { allowed: [1] });
  const ref = head.out.trim();
  if (head.code !== 0 || (await git.resolve(at, "HEAD^{commit}")) !== undefined)
    throw new HallError("illegal_move", `The repository in '${checkout.path}' already has a commit.`, {
      hint: "Start an agent.",
    });
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const found = (await git.list(at, listed, { bytes: true })).filter((path) => !path.endsWith("/"));
  const isSecret = (path: string) => SECRET.test(path) && !EXAMPLE.test(path);
  const files = found.filter((path) => !isSecret(path));
  const input = files.map((path) => `${path}\0`).join("");
  await git.run(at, ["update-index", "--add", "-z", "--stdin"], { input, bytes: true });
  const tree = await git.text(at, ["write-tree"]);
  const commit = await git.text(at, ["commit-tree", tree, "-m", MESSAGE]);
  await git.run(at, ["update-ref", "--", ref, commit, commit.length === 40 ? NEVER_BEFORE : "0".repeat(64)]);
  return {
    commit,
    branch: ref.replace(/^refs\/heads\//, ""),
    files: files.length,
    omitted: found.filter(isSecret).map((path) => Buffer.from(path, "latin1").toString("utf8")),
  };
}

function repositoryIn({ workdirRecords }: Pick<Core, "workdirRecords">, project: Project): RepositoryIdentity {
  const place = workdirRecords.placeOf(project);
  if (place instanceof HallError) throw place;
  const sight = workdirRecords.look(project);
  if (sight !== undefined && "git" in sight && sight.git.state === "repository" && sight.state === "ok")
    return sight.git;
  throw new HallError("repository_refused", `Project '${project.id}' has no git repository to commit to.`, {
    hint: "Set a working folder with a git repository in the project's settings.",
  });
}
