import { chmodSync, existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { type PersonsRepository, repository } from "./repository.ts";

/** What a person has in hand: paths that no run may change, each of which stands differently to git. */
const IN_HAND = {
  changed: "dirty/changed.bin",
  stagedAndChanged: "dirty/staged.txt",
  stagedNew: "dirty/added.txt",
  intended: "dirty/intended.txt",
  untracked: "dirty/untracked.txt",
  ignored: "dirty/ignored.log",
  removed: "dirty/removed.txt",
  stagedRemoved: "dirty/staged-removed.txt",
  renamed: "dirty/renamed.txt",
  oldName: "dirty/old-name.txt",
  assumed: "dirty/assumed.txt",
  skipped: "dirty/skipped.txt",
  executable: "dirty/executable.sh",
};
const HOOKS = [
  "post-checkout",
  "pre-commit",
  "post-commit",
  "post-merge",
  "post-index-change",
  "reference-transaction",
];
const MARK = "UNCOMMITTED";

export interface DirtyCheckout extends PersonsRepository {
  /** Paths in the person's hands. */
  inHand: string[];
  /** Every byte, time and entry of the person's work, the stash, and what hooks have left behind. */
  mine(): unknown;
}

/** A repository whose checkout is in the middle of a person's work; `files` are committed beside it. */
export function dirtyCheckout(files: Record<string, string>): DirtyCheckout {
  const before = Object.values(IN_HAND).filter((path) => !/added|intended|untracked|ignored|renamed/.test(path));
  const repo = repository({
    ".gitignore": "*.log\n",
    ...Object.fromEntries(before.map((path) => [path, `committed ${path}\n`])),
    ...files,
  });
  repo.write(IN_HAND.changed, `${MARK} put away\n`);
  repo.git("stash");
  for (const path of [IN_HAND.stagedAndChanged, IN_HAND.stagedNew]) repo.write(path, `${MARK} staged\n`);
  repo.git("add", IN_HAND.stagedAndChanged, IN_HAND.stagedNew);
  repo.write(IN_HAND.stagedAndChanged, `${MARK} staged and changed again\n`);
  repo.write(IN_HAND.changed, Buffer.from([0, 255, 13, 10, 1, ...Buffer.from(MARK)]));
  for (const path of [IN_HAND.intended, IN_HAND.untracked, IN_HAND.ignored]) repo.write(path, `${MARK} ${path}\n`);
  repo.git("add", "--intent-to-add", IN_HAND.intended);
  rmSync(repo.at(IN_HAND.removed));
  repo.git("rm", "--quiet", IN_HAND.stagedRemoved);
  repo.git("mv", IN_HAND.oldName, IN_HAND.renamed);
  repo.git("update-index", "--assume-unchanged", IN_HAND.assumed);
  repo.git("update-index", "--skip-worktree", IN_HAND.skipped);
  for (const path of [IN_HAND.assumed, IN_HAND.skipped]) repo.write(path, `${MARK} hidden\n`);
  chmodSync(repo.at(IN_HAND.executable), 0o755);
  for (const name of HOOKS) {
    repo.write(`.git/hooks/${name}`, `#!/bin/sh\necho ${name} >> ${repo.at(".git/traces")}\n`);
    chmodSync(repo.at(`.git/hooks/${name}`), 0o755);
  }
  const isMine = (line: string) => line.includes("dirty/");
  const mine = () => ({
    files: Object.values(IN_HAND).map((path) => [path, stateOf(repo.at(path))]),
    index: ["--stage", "-v", "-t"].map((how) => repo.git("ls-files", how).split("\n").filter(isMine)),
    status: repo.git("-c", "core.hooksPath=/dev/null", "status", "--porcelain").split("\n").filter(isMine),
    staged: repo.git("diff", "--cached", "--", "dirty"),
    stash: [repo.git("stash", "list", "--format=%H %gs"), repo.git("show", "stash@{0}")],
    traces: existsSync(repo.at(".git/traces")) ? readFileSync(repo.at(".git/traces"), "utf8") : "",
  });
  return { ...repo, inHand: Object.values(IN_HAND), mine };
}

function stateOf(path: string): unknown {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return [stats.ino, stats.mode, stats.mtimeNs, readFileSync(path).toString("base64")].map(String);
}
