import { basename, join } from "node:path";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import { isWithin } from "../../store/files/folders.ts";
import { repositoryOf } from "../../store/git/git-folder.ts";
import { placeKind } from "../../store/host/host-places.ts";
import { openInOwnFolder, ProtectedSearch } from "../../store/secrets/protected-places.ts";
import { otherNames, type TreeSurvey } from "../../store/snapshots/tree-survey.ts";
import type { CommandOrder, Masked } from "../sandbox/sandbox.ts";
import { maskedIn } from "../sandbox/tool-folders.ts";
import { GitCover } from "./git-cover.ts";
import { LentPackages } from "./lent-packages.ts";

/** What the system takes for a path, less what a sandbox puts before it. */
const LONGEST_PATH = 4_000;

export interface CommandSetting {
  policy: RunSandbox;
  /** Absolute. */
  workdir: string;
  /** What the working folder is a worktree of: packages that are installed there are found in it, and not writable. */
  checkout?: string | undefined;
  /** Where the whole of a long output is kept: an absolute path, and the name the agent reads it by. */
  keepAt: (callId: string) => { path: string; name: string };
  /** How many folders are searched at most. */
  mostFolders?: number | undefined;
}

interface Hidden {
  secrets: string[];
  controls: string[];
  /** With the folder that was searched. */
  gitFolders: { folder: string; root: string }[];
}

/** Of a folder that a project opens to commands only repositories are closed: caches and other projects hold many control files. */
function isGit(path: string): boolean {
  return basename(path).toLowerCase() === ".git";
}

/** Decides, before every command, what it sees and what is kept from it. */
export class CommandOrders {
  readonly #setting: CommandSetting;
  /** The working folder's, then those of the other folders that commands see. */
  readonly #searches: readonly ProtectedSearch[];
  readonly #packages: LentPackages;
  readonly #git: GitCover;

  constructor(setting: CommandSetting) {
    const { readable, writable } = setting.policy;
    const others = [...readable, ...writable].filter((path) => placeKind(path) === "folder");
    const use = { now: Date.now, ...(setting.mostFolders === undefined ? {} : { most: setting.mostFolders }) };
    this.#setting = setting;
    this.#searches = [
      new ProtectedSearch(setting.workdir, use),
      ...others.map((path) => new ProtectedSearch(path, { ...use, isOthers: true })),
    ];
    this.#packages = new LentPackages(setting);
    this.#git = new GitCover(setting);
  }

  /** A text says why nothing can be run. */
  make(command: string, survey: TreeSurvey): CommandOrder | string {
    const { policy, workdir } = this.#setting;
    if (placeKind(workdir) !== "folder") return `The working folder '${workdir}' does not exist.`;
    const hidden = this.#hidden();
    if (typeof hidden === "string") return hidden;
    const repository = repositoryOf(workdir);
    const git = this.#git.cover(hidden.gitFolders, repository);
    const packages = this.#packages.find();
    return {
      command,
      workdir,
      policy: { ...policy, readable: [...policy.readable, ...packages.readable, ...git.readable] },
      masked: [...this.#masked(hidden.secrets, survey), ...packages.masked, ...git.masked],
      protectedPaths: hidden.controls,
      openPaths: openInOwnFolder(workdir),
      lent: [...packages.lent, ...git.lent],
    };
  }

  #hidden(): Hidden | string {
    const { policy, workdir } = this.#setting;
    const secrets = policy.envFiles.map((path) => (path.startsWith("/") ? path : join(workdir, path)));
    const hidden: Hidden = { secrets, controls: [], gitFolders: [] };
    for (const search of this.#searches) {
      const { root } = search;
      const found = search.find();
      if (found === undefined)
        return `Can't hide secret files: '${root}' has too many folders, or folders that are unreadable or too deep to search.`;
      hidden.secrets.push(...found.secrets.map((path) => join(root, path)));
      hidden.gitFolders.push(...found.gitFolders.map((path) => ({ folder: join(root, path), root })));
      const controls =
        root === workdir ? found.controls : policy.writable.includes(root) ? found.controls.filter(isGit) : [];
      hidden.controls.push(...controls.map((path) => join(root, path)));
    }
    const isTooDeep = hidden.secrets.some((path) => Buffer.byteLength(path) > LONGEST_PATH);
    return isTooDeep ? "Can't hide a secret file: its path is too deep." : hidden;
  }

  #masked(secrets: readonly string[], survey: TreeSurvey): Masked[] {
    const { policy, workdir } = this.#setting;
    const places = [...policy.readable, ...policy.writable, workdir];
    const inside = secrets.filter((path) => places.some((place) => path !== place && isWithin(path, place)));
    return maskedIn("/", [...new Set([...inside, ...otherNames(workdir, inside, survey)])]);
  }
}
