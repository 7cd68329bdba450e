import { homedir } from "node:os";
import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import type { RepositoryIdentity } from "../../contract/documents/workdir.ts";
import { HallError } from "../../contract/errors.ts";
import { Git } from "../../runs/git/git.ts";
import { inodeOf, makeFolder, realPlaceOf } from "../../store/files/folders.ts";
import { gitAround, wayOut } from "../../store/git/git-checkout.ts";
import { GitTrees } from "./git-trees.ts";

interface Options {
  /** Where the person runs the command. */
  folder: string;
  /** A private folder that is theirs alone; absolute. */
  scratch: string;
  sandbox: SandboxProbe;
  umask: number;
}

export interface PlainRepository {
  trees: GitTrees;
  /** The root of the person's checkout. */
  checkout: string;
  close(): Promise<void>;
}

/**
 * The repository around a folder, outside any project. It counts as confirmed because the person runs the command in it: this
 * repository, as it is now, and no other. Refuses with `repository_refused` where there is none that can be used.
 */
export async function openPlainRepository({ folder, scratch, sandbox, umask }: Options): Promise<PlainRepository> {
  const known = repositoryAround(realPlaceOf(folder));
  makeFolder(scratch);
  const root = realPlaceOf(scratch);
  const { checkout, records, repository } = known;
  const git = new Git({
    umask,
    sandbox: async () => {
      const { name } = await sandbox.settle();
      return name === "probing" ? "none" : name;
    },
    scratch: `${root}/git`,
    ownRoots: [root],
    trust: trustOnly(known),
    identity: { name: "Guildhall", email: "guildhall@localhost" },
    agentFolders: () => [],
  });
  const tooOld = await git.tooOldFor("anything");
  if (tooOld !== undefined) throw new HallError("repository_refused", `'${checkout.path}' can't be read: ${tooOld}.`);
  const work = { checkout: checkout.path, records: records.path };
  const trees = new GitTrees({ git, repository: repository.path, work, scratch: `${root}/trees` });
  return {
    trees,
    checkout: checkout.path,
    close: async () => {
      git.close();
      await trees.close();
    },
  };
}

const GO_THERE = "Change to the folder of a git repository, or create one with 'git init'.";

function repositoryAround(folder: string): RepositoryIdentity {
  const found = gitAround(folder, realPlaceOf(homedir()));
  if (found.state === "none")
    throw new HallError("repository_refused", `'${folder}' is not in a git repository.`, { hint: GO_THERE });
  if (found.state === "unusable") throw new HallError("repository_refused", `'${found.at}' ${found.reason}.`);
  const way = wayOut(found.repository.path);
  if (way === undefined) return found;
  throw new HallError("repository_refused", `'${found.repository.path}' can't be read: '${way}' leads outside it.`);
}

function trustOnly({ checkout, repository, alternates }: RepositoryIdentity) {
  return {
    repository: (path: string) =>
      path === repository.path && inodeOf(path) === repository.inode
        ? { path, inode: repository.inode, alternates }
        : undefined,
    checkout: (path: string) => (path === checkout.path ? checkout.inode : undefined),
  };
}
