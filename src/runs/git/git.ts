import { execFile } from "node:child_process";
import { programPath } from "../../store/host-places.ts";

const TIMEOUT_MS = 120_000;
const FRESH_MS = 500;
const MOST_OUTPUT = 64 * 1024 * 1024;
/** What git needs of the environment; whatever else would lead it elsewhere is left out. */
const PASSED = ["HOME", "XDG_CONFIG_HOME", "LANG", "TMPDIR"];
/** Nothing that a repository's configuration names is run, asked or waited for. */
const SETTINGS: Record<string, string> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.pager": "cat",
  "core.editor": "false",
  "core.askPass": "",
  "core.sshCommand": "false",
  "core.quotePath": "false",
  "credential.helper": "",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "diff.submodule": "short",
  "diff.ignoreSubmodules": "dirty",
  "gc.auto": "0",
  "maintenance.auto": "false",
  ...{ "core.fsync": "all", "core.fsyncMethod": "fsync" },
};
/** Programs that a repository may name for its files, and what stands in for them: nothing, or a conflict. */
const PROGRAMS: Record<string, string> = {
  clean: "",
  smudge: "",
  process: "",
  required: "false",
  driver: "false",
};
/** Commands that look at no working file and write no index; every other may run such a program. */
const WITHOUT_FILES = new Set([
  "rev-parse",
  "symbolic-ref",
  "update-ref",
  "commit-tree",
  "merge-base",
  "rev-list",
  "diff-tree",
  "check-ignore",
]);
/** From here on git heeds the settings that it is given here, and merges without a checkout. */
const SAFE = [2, 31];
const MERGING = [2, 38];
const NAMED_PROGRAM = /^((?:filter|merge)\..+)\.(?:clean|smudge|process|required|driver)$/s;

/** Where a git command works: a checkout as git finds it, or a place whose own word about itself is not trusted. */
export type GitPlace = { cwd: string } | { gitDir: string; workTree?: string };

export interface GitOptions {
  /** What the person's own files are made with. */
  umask: number;
  identity: { name: string; email: string };
  /** Where agents can write: no program is taken from there. */
  agentFolders?: () => readonly string[];
}

interface GitCall {
  input?: string | undefined;
  /** Input and output are bytes, one character each: names of files need not be texts. */
  bytes?: boolean | undefined;
  /** A file that stands in for the index. */
  index?: string | undefined;
  /** Exit codes that are an answer, beside 0. */
  allowed?: readonly number[] | undefined;
}

export interface GitAnswer {
  code: number;
  out: string;
}

/** git said no, or could not be run. */
export class GitFailure extends Error {
  readonly isMissing: boolean;

  constructor(message: string, isMissing = false) {
    super(message);
    this.name = "GitFailure";
    this.isMissing = isMissing;
  }
}

/** Runs git: with arguments and never through a shell, without hooks, filters, helpers, pagers or questions. */
export class Git {
  readonly #options: GitOptions;
  /** What was found a moment ago: a merge asks for it a dozen times in a row. */
  readonly #programs = new Map<string, { at: number; found: Promise<Record<string, string>> }>();

  #version: Promise<number[] | undefined> | undefined;
  #path: { at: number; value: string } | undefined;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /** Why this git cannot be used for something, if so. Asked once: whoever brings another git starts the daemon again. */
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

  async #ownVersion(): Promise<number[] | undefined> {
    const { out } = await this.#exec({ cwd: "/" }, ["--version"], { settings: {} }).catch(() => ({ out: "" }));
    const found = /(\d+)\.(\d+)/.exec(out);
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
    const programs = WITHOUT_FILES.has(args[0] ?? "") ? {} : await this.#knownPrograms(place);
    const settings = { ...SETTINGS, ...programs };
    return this.#exec(place, args, { ...call, settings });
  }

  /** The object a name leads to; undefined when there is none. */
  async resolve(place: GitPlace, name: string): Promise<string | undefined> {
    const { code, out } = await this.run(place, ["rev-parse", "--verify", "--quiet", "--end-of-options", name], {
      allowed: [1, 128],
    });
    return code === 0 ? out.trim() : undefined;
  }

  #knownPrograms(place: GitPlace): Promise<Record<string, string>> {
    const key = "cwd" in place ? place.cwd : place.gitDir;
    const known = this.#programs.get(key);
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.found;
    for (const [other, { at }] of this.#programs) if (performance.now() - at > FRESH_MS) this.#programs.delete(other);
    const found = this.#programsOf(place);
    found.catch(() => this.#programs.delete(key));
    this.#programs.set(key, { at: performance.now(), found });
    return found;
  }

  /** Stand-ins for the filters and merge drivers that are configured here. */
  async #programsOf(place: GitPlace): Promise<Record<string, string>> {
    const { out } = await this.#exec(place, ["config", "--null", "--name-only", "--get-regexp", "^(filter|merge)\\."], {
      settings: SETTINGS,
      allowed: [1],
    });
    const names = out.split("\0").flatMap((key) => NAMED_PROGRAM.exec(key)?.[1] ?? []);
    return Object.fromEntries(
      [...new Set(names)].flatMap((name) =>
        Object.entries(PROGRAMS)
          .filter(([key]) => (key === "driver") === name.startsWith("merge."))
          .map(([key, value]) => [`${name}.${key}`, value]),
      ),
    );
  }

  #exec(
    place: GitPlace,
    args: readonly string[],
    call: GitCall & { settings: Record<string, string> },
  ): Promise<GitAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
    const settle = (error: (Error & { code?: unknown }) | null, out: string, said: string) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number" && (code === 0 || call.allowed?.includes(code))) return resolve({ code, out });
      const reason = said.trim() || (error?.message ?? "");
      reject(new GitFailure(`git ${args[0]}: ${reason.slice(0, 2_000)}`, code === "ENOENT"));
    };
    const encoding = call.bytes ? ("latin1" as const) : ("utf8" as const);
    const options = {
      cwd: "cwd" in place ? place.cwd : (place.workTree ?? place.gitDir),
      env: this.#environment(place, call),
      encoding,
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL" as const,
      maxBuffer: MOST_OUTPUT,
    };
    // The child takes over what is set at this moment; what the daemon writes itself says its permissions.
    const own = process.umask(this.#options.umask);
    try {
      const child = execFile("git", args, options, settle);
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(call.input ?? "", encoding);
    } catch (error) {
      reject(new GitFailure(String(error)));
    } finally {
      process.umask(own);
    }
    return promise;
  }

  #programPath(): string {
    if (this.#path === undefined || performance.now() - this.#path.at > FRESH_MS)
      this.#path = { at: performance.now(), value: programPath(this.#options.agentFolders?.() ?? []) };
    return this.#path.value;
  }

  #environment(place: GitPlace, { index, settings }: GitCall & { settings: Record<string, string> }) {
    const { name, email } = this.#options.identity;
    const passed = PASSED.flatMap((key) => (process.env[key] === undefined ? [] : [[key, process.env[key]]]));
    const entries = Object.entries(settings);
    return {
      ...Object.fromEntries(passed),
      PATH: this.#programPath(),
      // Not as arguments: a name in them may hold an equals sign.
      GIT_CONFIG_COUNT: String(entries.length),
      ...Object.fromEntries(
        entries.flatMap(([key, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, key],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_NO_LAZY_FETCH: "1",
      // Above the settings, where a repository could allow one by its name.
      GIT_ALLOW_PROTOCOL: "none",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      LC_ALL: "C.UTF-8",
      ...("gitDir" in place ? { GIT_DIR: place.gitDir } : {}),
      ...("workTree" in place && place.workTree !== undefined ? { GIT_WORK_TREE: place.workTree } : {}),
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    };
  }
}
