import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sandboxNamed } from "../../agent/sandbox/probe.ts";
import type { SandboxName } from "../../contract/documents/sandbox.ts";
import { inodeOf, isWithin, unlinkedInode } from "../../store/files/folders.ts";
import { ScratchFolder } from "../../store/files/scratch-folder.ts";
import { programPath } from "../../store/host/host-places.ts";
import { commonFolderIn, foldersToMake, makeCommonFolder, stampsOf } from "./common-folder.ts";
import { gitEnvironment } from "./git-environment.ts";
import { type GitOutcome, type GitRequest, GitSession, type Pinned } from "./git-session.ts";

/** How long the search path for programs is believed. */
const FRESH_MS = 500;
/** After so long without a command a sandbox is taken down. */
const IDLE_MS = 1_000;
/** What a session shows was confirmed when it began. */
const LONGEST_MS = 10_000;
const LIMITS = { network: false, memoryMb: 8_192, processes: 256, envFiles: [] };

/** What a git command works on. Absolute. */
export interface GitGround {
  /** What all checkouts of a repository share. */
  repository: string;
  /** What one checkout has for itself, if not the same. */
  records?: string | undefined;
  /** Other folders that it reads and writes: the files of a checkout, a folder for an index. */
  folders: readonly string[];
}

/** A repository that a person confirmed. */
export interface TrustedRepository extends Pinned {
  /** Where else it finds objects; only read. */
  alternates: readonly string[];
}

export interface GitTrust {
  /** Undefined when no person confirmed that the repository is used, or when it has changed since. */
  repository(path: string): TrustedRepository | undefined;
  /** The inode of a person's checkout, where it was confirmed. */
  checkout(path: string): string | undefined;
}

export interface SessionsOptions {
  /** Which sandbox works on this machine. */
  sandbox: () => Promise<SandboxName>;
  /** Absolute: where files for the moment are put. */
  scratch: string;
  /** Absolute: where commands put an index of their own. Every sandbox shows it, so that one serves all that is done with a checkout. */
  indexes?: string | undefined;
  trust: GitTrust;
  /** The hall's own folder under all its names, absolute: only the hall makes folders in it. */
  ownRoots: readonly string[];
  /** Where agents can write: no program is taken from there, and nothing is shown of it but what a command works on. */
  agentFolders: () => readonly string[];
  /** What the person's own files are made with. */
  umask: number;
}

export type GroundOutcome = GitOutcome | { kind: "refused"; trouble: string };

interface Kept {
  session: GitSession;
  ground: GitGround;
  pinned: readonly Pinned[];
  begun: number;
  /** Of the repository's own configuration when it was read. */
  stamps: string;
  /** What stands in for the part of the repository that its checkouts share. */
  common: string;
  timer?: NodeJS.Timeout;
}

/** Sandboxes for git, kept for a moment for the next command on the same repository. */
export class GitSessions {
  readonly #options: SessionsOptions;
  #idle: Kept[] = [];
  #path: { at: number; value: string } | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  async run(ground: GitGround, request: GitRequest): Promise<GroundOutcome> {
    // What was confirmed may be taken back, or change, while a sandbox for it still stands.
    const trusted = this.#options.trust.repository(ground.repository);
    if (trusted === undefined)
      return { kind: "refused", trouble: `'${ground.repository}' is not the repository that was confirmed` };
    const pins = this.#pin(ground.folders);
    if ("refused" in pins) return { kind: "refused", trouble: pins.refused };
    const pinned = [trusted, ...pins.folders];
    const kept = this.#take(ground, pinned) ?? (await this.#begin(ground, { trusted, pinned }));
    if ("refused" in kept) return { kind: "refused", trouble: kept.refused };
    try {
      const env = { ...this.environment(), GIT_COMMON_DIR: kept.common, ...request.env };
      return await kept.session.run({ ...request, env });
    } finally {
      this.#putBack(kept);
    }
  }

  /** Of every git command. */
  environment(): Record<string, string> {
    if (this.#path === undefined || performance.now() - this.#path.at > FRESH_MS)
      this.#path = { at: performance.now(), value: programPath(this.#options.agentFolders()) };
    return gitEnvironment(this.#path.value);
  }

  close(): void {
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      session.close();
    }
  }

  /** One that shows the same folders: a folder that was made again since is another. */
  #take(ground: GitGround, pinned: readonly Pinned[]): Kept | undefined {
    const serves = ({ session, ground: other, ...kept }: Kept) =>
      !session.isOver &&
      other.repository === ground.repository &&
      kept.stamps === stampsOf(ground) &&
      (ground.records === undefined || ground.records === other.records) &&
      pinned.every(({ path, inode }) => kept.pinned.some((one) => one.path === path && one.inode === inode));
    const kept = this.#idle.find(serves);
    if (kept === undefined) return undefined;
    this.#idle = this.#idle.filter((other) => other !== kept);
    clearTimeout(kept.timer);
    return kept;
  }

  #putBack(kept: Kept): void {
    if (kept.session.isOver) return;
    if (performance.now() - kept.begun > LONGEST_MS) {
      kept.session.close();
      return;
    }
    kept.timer = setTimeout(() => {
      this.#idle = this.#idle.filter((other) => other !== kept);
      kept.session.close();
    }, IDLE_MS).unref();
    this.#idle.push(kept);
  }

  async #begin(
    ground: GitGround,
    { trusted, pinned: needed }: { trusted: TrustedRepository; pinned: readonly Pinned[] },
  ): Promise<Kept | { refused: string }> {
    const name = await this.#options.sandbox();
    const stamps = stampsOf(ground);
    const scratch = new ScratchFolder(join(this.#options.scratch, `git-${randomUUID()}`));
    const refused = makeCommonFolder(scratch, ground);
    if (refused !== undefined) {
      scratch.remove();
      return { refused };
    }
    const { agentFolders, umask, indexes } = this.#options;
    const more = this.#pin(indexes === undefined || needed.some(({ path }) => path === indexes) ? [] : [indexes]);
    const pinned = "refused" in more ? needed : [...needed, ...more.folders];
    const session = new GitSession({
      sandbox: sandboxNamed(name),
      order: {
        workdir: scratch.path,
        policy: {
          ...LIMITS,
          name,
          readable: [...trusted.alternates],
          writable: outerFirst(pinned.map(({ path }) => path)),
          hidden: [...agentFolders()],
        },
        masked: [],
        protectedPaths: [],
        lent: [],
        isOwn: true,
        skipsSearch: true,
      },
      scratch,
      made: foldersToMake(trusted.path),
      pinned,
      umask,
    });
    return { session, ground, pinned, stamps, common: commonFolderIn(scratch), begun: performance.now() };
  }

  /** As they are now, unless a person confirmed them. A link on the way to one that is the person's is not followed. */
  #pin(paths: readonly string[]): { folders: Pinned[] } | { refused: string } {
    const { trust, ownRoots } = this.#options;
    const folders: Pinned[] = [];
    for (const path of paths) {
      const isOwn = ownRoots.some((root) => isWithin(path, root));
      const inode = trust.checkout(path) ?? (isOwn ? inodeOf(path) : unlinkedInode(path));
      if (inode === undefined) return { refused: `the folder '${path}' does not exist or is a link` };
      folders.push({ path, inode });
    }
    return { folders };
  }
}

/** A folder that is shown after one that it lies in is shown as itself. */
function outerFirst(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((left, right) => (isWithin(left, right) ? 1 : isWithin(right, left) ? -1 : 0));
}
