import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { type GitGround, GitSessions, type SessionsOptions } from "./git-sessions.ts";

/** From here on git heeds the settings that it is given here, and merges without a checkout. */
const SAFE = [2, 31];
const MERGING = [2, 38];
const VERSION_MS = 10_000;

/**
 * What may be asked of git here: nothing that reaches another machine. Clones need the person's credentials and have a
 * place of their own (`runs/clone`, decision 0054).
 */
const COMMANDS = new Set([
  "blame",
  "cat-file",
  "check-ignore",
  "checkout-index",
  "commit-tree",
  "diff",
  "diff-files",
  "diff-index",
  "diff-tree",
  "grep",
  "hash-object",
  "ls-files",
  "ls-tree",
  "merge-base",
  "merge-tree",
  "read-tree",
  "rev-list",
  "for-each-ref",
  "rev-parse",
  "symbolic-ref",
  "update-index",
  "update-ref",
  "worktree",
  "write-tree",
]);

/**
 * These look into a submodule by running `git status` in it, with the settings they find there, which an agent may have
 * written. No setting prevents that for all of them, and `.gitmodules` overrides the one that exists.
 */
const COMPARING = new Set(["diff", "diff-files", "diff-index", "diff-tree"]);
const OUTSIDE_SUBMODULES = "--ignore-submodules=dirty";

/** Where a git command works: what a checkout has for itself, or the repository, and its files. Nothing is searched for. */
export interface GitPlace {
  gitDir: string;
  workTree?: string;
  /** A folder for new objects, in the scratch folder; the repository's own objects are then only read. */
  objects?: string | undefined;
}

export interface GitOptions extends SessionsOptions {
  identity: { name: string; email: string };
}

interface GitCall {
  input?: string | undefined;
  /** Input and output are bytes, one character each: names of files need not be texts. */
  bytes?: boolean | undefined;
  /** A file that stands in for the index, in the scratch folder. */
  index?: string | undefined;
  /** Other folders that the command reads or writes. */
  folders?: readonly string[] | undefined;
  /** What the command makes that a checkout has for itself: its sandbox then serves this checkout. */
  records?: string | undefined;
  /** Exit codes that are an answer, beside 0. */
  allowed?: readonly number[] | undefined;
}

export interface GitAnswer {
  code: number;
  out: string;
}

/** Why git gave no answer: there is none, it may not work there, it could not be run to its end, or it failed. */
export type GitFailureCause = "missing" | "untrusted" | "unable" | "failed";

export class GitFailure extends Error {
  readonly why: GitFailureCause;

  constructor(message: string, why: GitFailureCause = "failed") {
    super(message);
    this.name = "GitFailure";
    this.why = why;
  }
}

/**
 * Runs git: in a sandbox that shows the repository and the files it works on and nothing else, on repositories that a person
 * confirmed, with the hall's own configuration in the place of the repository's.
 */
export class Git {
  readonly #options: GitOptions;
  readonly #sessions: GitSessions;
  #version: Promise<number[] | undefined> | undefined;

  constructor(options: GitOptions) {
    this.#options = options;
    this.#sessions = new GitSessions(options);
  }

  /** Takes down the sandboxes that wait for the next command. */
  close(): void {
    this.#sessions.close();
  }

  /** Why this git cannot be used for something, if so. Asked once: a newer git counts from the next start on. */
  async tooOldFor(purpose: "anything" | "merging"): Promise<string | undefined> {
    this.#version ??= this.#ownVersion();
    const [major = 0, minor = 0] = (await this.#version) ?? MERGING;
    const [least = 0, among = 0] = purpose === "merging" ? MERGING : SAFE;
    if (major > least || (major === least && minor >= among)) return undefined;
    return `git ${major}.${minor} is too old (${MERGING.join(".")} or newer is needed)`;
  }

  /** As it tells it; undefined when there is none. */
  async version(): Promise<string | undefined> {
    this.#version ??= this.#ownVersion();
    return (await this.#version)?.join(".");
  }

  /** Outside a sandbox: it reads no repository, and every start asks. */
  async #ownVersion(): Promise<number[] | undefined> {
    const how = { cwd: "/", env: this.#sessions.environment(), timeout: VERSION_MS };
    const { stdout } = await promisify(execFile)("git", ["--version"], how).catch(() => ({ stdout: "" }));
    const found = /(\d+)\.(\d+)/.exec(stdout);
    return found === null ? undefined : [Number(found[1]), Number(found[2])];
  }

  async text(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<string> {
    return (await this.run(place, args, call)).out.trimEnd();
  }

  /** The texts between NULs. */
  async list(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<string[]> {
    return (await this.run(place, args, call)).out.split("\0").filter((part) => part !== "");
  }

  async run(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitAnswer> {
    const [command = "", ...rest] = args;
    if (!COMMANDS.has(command)) throw new Error(`git ${command} is not run here`);
    return this.#exec(place, COMPARING.has(command) ? [command, OUTSIDE_SUBMODULES, ...rest] : args, call);
  }

  /** The object a name leads to; undefined when there is none. */
  async resolve(place: GitPlace, name: string): Promise<string | undefined> {
    const { code, out } = await this.run(place, ["rev-parse", "--verify", "--quiet", "--end-of-options", name], {
      allowed: [1, 128],
    });
    return code === 0 ? out.trim() : undefined;
  }

  async #exec(place: GitPlace, args: readonly string[], call: GitCall): Promise<GitAnswer> {
    const encoding = call.bytes ? ("latin1" as const) : ("utf8" as const);
    const cwd = place.workTree ?? place.gitDir;
    const outcome = await this.#sessions.run(this.#groundOf(place, call), {
      args,
      env: this.#environment(place, call),
      cwd,
      input: Buffer.from(call.input ?? "", encoding),
    });
    const failed = (reason: string, why?: GitFailureCause) => new GitFailure(`git ${args[0]}: ${reason}`, why);
    switch (outcome.kind) {
      case "exit": {
        const { code, out, trouble } = outcome;
        if (code === 0 || call.allowed?.includes(code)) return { code, out: out.toString(encoding) };
        throw failed(trouble || `exit code ${code}`);
      }
      case "too_long":
        throw failed("it printed more than 64 MiB");
      case "timeout":
        throw failed("it timed out after two minutes", "unable");
      case "refused":
        throw failed(outcome.trouble, "untrusted");
      case "changed":
        throw failed(`'${outcome.trouble}' was replaced while in use`, "untrusted");
      case "missing":
        throw failed("git is not installed", "missing");
      case "no_folder":
        throw failed(`the folder '${cwd}' is missing`, "unable");
      case "gone":
        throw failed(`its sandbox ended: ${outcome.trouble}`, "unable");
    }
  }

  #groundOf(place: GitPlace, { folders = [], index, records: made }: GitCall): GitGround {
    const scratch = [index, place.objects].flatMap((path) => (path === undefined ? [] : [dirname(path)]));
    const repository = repositoryOf(place.gitDir);
    const records = place.gitDir === repository ? made : place.gitDir;
    const files = place.workTree === undefined ? [] : [place.workTree];
    return { repository, records, folders: [...files, ...folders, ...scratch] };
  }

  #environment(place: GitPlace, { index }: GitCall): Record<string, string> {
    const { name, email } = this.#options.identity;
    return {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_DIR: place.gitDir,
      ...(place.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      ...(place.objects === undefined ? {} : objectsApart(place.gitDir, place.objects)),
    };
  }
}

/** New objects go into a folder of their own. Quoted, since a colon separates paths. */
function objectsApart(gitDir: string, objects: string): Record<string, string> {
  const own = `${repositoryOf(gitDir)}/objects`.replaceAll(/["\\]/g, "\\$&");
  return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${own}"` };
}

/** What all checkouts share: the records of one that is not the first stand in `worktrees` there. */
function repositoryOf(gitDir: string): string {
  const above = dirname(gitDir);
  return basename(above) === "worktrees" ? dirname(above) : gitDir;
}
