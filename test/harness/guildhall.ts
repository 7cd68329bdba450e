import { spawn } from "node:child_process";
import { join } from "node:path";

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Invocation {
  workspace?: string;
  input?: string;
  env?: Record<string, string>;
  /** The folder the command is given in. */
  folder?: string;
}

/** A command that still runs. */
export interface Running {
  /** What it has said so far. */
  said: Outcome;
  ended: Promise<Outcome>;
  signal(name: NodeJS.Signals): void;
}

/** Runs the `guildhall` command as a person would and waits for its end. */
export function guildhall(args: string[], options: Invocation = {}): Promise<Outcome> {
  return startGuildhall(args, options).ended;
}

/** The same for a command that does not end by itself. */
export function startGuildhall(args: string[], options: Invocation = {}): Running {
  const child = spawn(join(import.meta.dirname, "../../bin/guildhall"), args, {
    cwd: options.folder,
    env: environment(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said: Outcome = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const ended = new Promise<Outcome>((resolve) => {
    child.once("close", (code) => resolve({ ...said, code }));
  });
  return { said, ended, signal: (name) => void child.kill(name) };
}

/** That of the tests, without what the person who runs them has set up for a hall or a terminal of their own. */
export function environment({ workspace, env }: Invocation = {}): NodeJS.ProcessEnv {
  const own = /^(GUILDHALL_(?!BUILD$)|COLUMNS$|NO_COLOR$|FORCE_COLOR$)/;
  const inherited = Object.entries(withoutModels(process.env)).filter(([name]) => !own.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: commandPath(),
    ...(workspace === undefined ? {} : { GUILDHALL_WORKSPACE: workspace }),
    ...env,
  };
}

/** Where a shell finds the program by its name. */
function commandPath(): string {
  return `${join(import.meta.dirname, "../../bin")}:${process.env.PATH}`;
}

/** Nothing by which a daemon would find a model that costs money or belongs to the machine the tests run on. */
export function withoutModels(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const harmless = Object.entries(env).filter(([name]) => !name.endsWith("_API_KEY"));
  return { ...Object.fromEntries(harmless), OLLAMA_HOST: NOBODY };
}

/** An address where nothing listens. */
export const NOBODY = "127.0.0.1:9";
