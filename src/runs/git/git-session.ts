import { type SandboxedProcess, start } from "../../agent/sandbox/launch.ts";
import { type CommandOrder, innerEnvironment, quoted, type Sandbox } from "../../agent/sandbox/sandbox.ts";
import type { ScratchFolder } from "../../store/files/scratch-folder.ts";

/** How long one git command may take. */
const TIMEOUT_MS = 120_000;
const MOST_OUTPUT = 64 * 1024 * 1024;
const MOST_TROUBLE = 2_000;
/** The shell's exit code when a folder is not the one it was. */
const CHANGED = 79;
/** The shell's exit code when there is no folder to work in. Git itself has no such code. */
const NO_FOLDER = 80;
/** The shell's exit code when there is no such program. */
const NOT_FOUND = 127;

/** One git command. Input and output are files, so that a session needs no protocol for bytes. */
export interface GitRequest {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Absolute. */
  cwd: string;
  input: Uint8Array;
}

/** `missing`: there is no git. `no_folder`: there is no folder to run it in. `changed`: a folder is another one than was confirmed. `gone`: the sandbox ended early. */
export type GitOutcome =
  | { kind: "exit"; code: number; out: Buffer; trouble: string }
  | { kind: "too_long" | "timeout" | "missing" | "no_folder" }
  | { kind: "changed" | "gone"; trouble: string };

/** A folder as it was confirmed. */
export interface Pinned {
  path: string;
  inode: string;
}

interface SessionOptions {
  sandbox: Sandbox;
  /** What the sandbox shows; its working folder is the scratch folder. */
  order: Omit<CommandOrder, "command">;
  scratch: ScratchFolder;
  /** Folders that must be these very ones once the sandbox shows them. */
  pinned: readonly Pinned[];
  /** Folders that are made, where they are missing, in what was found to be right. */
  made: readonly string[];
  umask: number;
}

/**
 * A sandbox in which git commands run one after the other: setting one up takes longer than most commands. What it shows was
 * fixed by the kernel when it was set up, and is compared with what was confirmed before the first command runs.
 */
export class GitSession {
  readonly #scratch: ScratchFolder;
  readonly #process: SandboxedProcess;
  #count = 0;
  #said = "";
  #isOver = false;
  #answered: ((code: number) => void) | undefined;

  constructor(options: SessionOptions) {
    this.#scratch = options.scratch;
    const order = { ...options.order, command: loopOf(options) };
    this.#process = start(options.sandbox, order, (chunk) => this.#hear(chunk), "pipe");
    void this.#process.done.then(() => {
      this.#isOver = true;
      attempt(() => options.scratch.remove());
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** One at a time. */
  async run(request: GitRequest): Promise<GitOutcome> {
    const number = String(++this.#count);
    const names = ["", ".in", ".out", ".err"].map((ending) => `${number}${ending}`);
    this.#scratch.write(`${number}.in`, request.input);
    this.#scratch.write(number, scriptOf(request, this.#scratch.at(number)));
    const outcome = await this.#outcomeOf(number);
    if (!this.#isOver) attempt(() => this.#scratch.discard(names));
    return outcome;
  }

  close(): void {
    this.#process.kill();
  }

  async #outcomeOf(number: string): Promise<GitOutcome> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#answered = resolve;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"timeout">((end) => {
      timer = setTimeout(end, TIMEOUT_MS, "timeout");
    });
    this.#process.input?.write(`${number}\n`);
    const first = await Promise.race([promise, this.#process.done, late]);
    clearTimeout(timer);
    this.#answered = undefined;
    if (first === "timeout") {
      this.close();
      return { kind: "timeout" };
    }
    return typeof first === "number" ? this.#exit(number, first) : endedEarly(first, this.#said);
  }

  #exit(number: string, code: number): GitOutcome {
    const trouble = this.#scratch.read(`${number}.err`, MOST_OUTPUT)?.toString("utf8").trim() ?? "";
    const out = this.#scratch.read(`${number}.out`, MOST_OUTPUT);
    if (out === undefined) return { kind: "too_long" };
    if (code === NOT_FOUND) return { kind: "missing" };
    if (code === NO_FOLDER) return { kind: "no_folder" };
    return { kind: "exit", code, out, trouble: trouble.slice(0, MOST_TROUBLE) };
  }

  #hear(chunk: Buffer): void {
    this.#said = `${this.#said}${chunk.toString("utf8")}`.slice(-MOST_TROUBLE);
    const ended = new RegExp(`^${this.#count} (\\d+)\\n`, "m").exec(this.#said);
    if (ended === null) return;
    this.#said = "";
    this.#answered?.(Number(ended[1]));
  }
}

/** What a failing disk leaves of the scratch folder is removed at the next start; no command fails because of it. */
function attempt(cleanUp: () => void): void {
  try {
    cleanUp();
  } catch {
    // As above.
  }
}

function endedEarly({ isSetUp, code, trouble }: { isSetUp: boolean; code: number; trouble: string }, said: string) {
  if (isSetUp && code === CHANGED) return { kind: "changed" as const, trouble: said.trim() };
  return { kind: "gone" as const, trouble: trouble || said.trim() || `it ended with exit code ${code}` };
}

/** Checks what the sandbox shows, then runs a script for each number that it reads. */
function loopOf({ order, scratch, pinned, made, umask }: SessionOptions): string {
  const given = Object.keys(innerEnvironment("", "", order.policy)).filter((name) => name !== "PATH");
  const stop = (path: string) => `{ printf '%s\\n' ${quoted(path)}; exit ${CHANGED}; }`;
  return [
    'inode() { set -- $(ls -di -- "$1" 2>/dev/null); printf %s "$1"; }',
    ...pinned.map(({ path, inode }) => `[ "$(inode ${quoted(path)})" = ${quoted(inode)} ] || ${stop(path)}`),
    // Git gets what its request says and nothing else, without a program for each command that sees to it.
    `unset ${given.join(" ")}`,
    `umask ${umask.toString(8).padStart(3, "0")}`,
    ...made.map((path) => `[ -d ${quoted(path)} ] || mkdir ${quoted(path)}`),
    `while IFS= read -r number; do . ${quoted(scratch.path)}/"$number"; printf '%s %s\\n' "$number" "$?"; done`,
  ].join("\n");
}

function scriptOf({ args, env, cwd }: GitRequest, at: string): string {
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`));
  const words = ["git", ...args.map(quoted)].join(" ");
  const streams = [`<${quoted(`${at}.in`)}`, `>${quoted(`${at}.out`)}`, `2>${quoted(`${at}.err`)}`].join(" ");
  return `( cd ${quoted(cwd)} || exit ${NO_FOLDER}; unset PWD OLDPWD; export ${variables.join(" ")}; exec ${words} ) ${streams}\n`;
}
