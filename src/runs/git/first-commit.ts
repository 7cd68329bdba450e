import type { Project } from "../../contract/documents/project.ts";
import type { RepositoryIdentity } from "../../contract/documents/workdir.ts";
import { HallError } from "../../contract/errors.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import type { Core } from "../../workspace/core.ts";
import { assertCommittable, type CommitLimits } from "./commit-limits.ts";
import { type Git, GitFailure, type GitPlace } from "./git.ts";
import { sizesOf } from "./whole-tree.ts";

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
const SECRET = new RegExp(
  `(?:^|/)(?:${[
    String.raw`\.env(?:rc|[._-].*)?`,
    String.raw`\.(?:netrc|npmrc|pypirc|pgpass|htpasswd|dockercfg|git-credentials)`,
    String.raw`\.aws/credentials|\.docker/config\.json|\.kube/config`,
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)[^/]*`,
    String.raw`[^/]+\.(?:pem|key|p12|pfx|ppk|jks|keystore|kdbx)`,
    String.raw`(?:credentials|secrets?|service[-_]account)(?:\.(?:json|ya?ml|toml|ini|env|txt))?`,
  ].join("|")})$`,
  "i",
);
const EXAMPLE = /\.(?:example|sample|template|dist)(?:\.[a-z]+)?$/i;

interface Parts {
  git: Git;
  core: Pick<Core, "workdirRecords">;
  limits: CommitLimits;
}

/**
 * Commits the files of a repository that has no commit: agents start from one. What git ignores, and what looks like a secret,
 * stays out, even if it was staged. Throws when there is no such repository.
 */
export async function createFirstCommit({ git, core, limits }: Parts, project: Project): Promise<FirstCommit> {
  const { records, checkout } = repositoryIn(core, project);
  const at = { gitDir: records.path, workTree: checkout.path };
  const head = await git.run(at, ["symbolic-ref", "--quiet", "HEAD"], { allowed: [1] });
  const ref = head.out.trim();
  if (head.code !== 0 || (await git.resolve(at, "HEAD^{commit}")) !== undefined)
    throw new HallError("illegal_move", `The repository in '${checkout.path}' already has a commit.`, {
      hint: "Start an agent.",
    });
  try {
    const { files, omitted } = await stageAll(git, { at, folder: checkout.path, limits });
    const tree = await git.text(at, ["write-tree"]);
    const commit = await git.text(at, ["commit-tree", tree, "-m", MESSAGE]);
    await git.run(at, ["update-ref", "--", ref, commit, commit.length === 40 ? NEVER_BEFORE : "0".repeat(64)]);
    return { commit, branch: ref.replace(/^refs\/heads\//, ""), files, omitted };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new HallError("repository_refused", `The first commit could not be created: ${error.message}.`, {
      hint: "Fix this, or create the first commit yourself with git.",
    });
  }
}

interface Staged {
  at: GitPlace;
  folder: string;
  limits: CommitLimits;
}

/** Has the index hold what is committed, and nothing else. */
async function stageAll(git: Git, { at, folder, limits }: Staged): Promise<Pick<FirstCommit, "files" | "omitted">> {
  const list = async (...args: string[]) => {
    const listed = await git.list(at, ["ls-files", "--exclude-standard", "-z", ...args], { bytes: true });
    return listed.filter((path) => !path.endsWith("/"));
  };
  const [found, staged] = [await list("--cached", "--others"), await list("--cached")];
  const isSecret = (path: string) => SECRET.test(path) && !EXAMPLE.test(path);
  const reader = new FolderReader(folder);
  const sizes = await sizesOf(
    reader,
    found.filter((path) => !isSecret(path)),
  );
  assertCommittable(
    [...sizes].map(([path, size]) => ({ path: textOf(path), size })),
    limits,
  );
  const enter = async (how: string, paths: readonly string[]) => {
    const input = paths.map((path) => `${path}\0`).join("");
    if (paths.length > 0) await git.run(at, ["update-index", how, "-z", "--stdin"], { input, bytes: true });
  };
  await enter(
    "--force-remove",
    staged.filter((path) => !sizes.has(path)),
  );
  await enter("--add", [...sizes.keys()]);
  return { files: sizes.size, omitted: found.filter(isSecret).map(textOf) };
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
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
