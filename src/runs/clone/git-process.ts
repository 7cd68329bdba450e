import { spawn } from "node:child_process";

export interface GitOrder {
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  /** What the person's own files are made with. */
  umask: number;
  signal: AbortSignal;
  /** Hears each line of standard error, also those that overwrite each other. */
  onLine: (line: string) => void;
}

export interface GitEnd {
  /** Null when a signal ended it. */
  code: number | null;
  /** The last lines of standard error. */
  trouble: string;
}

const MOST_TROUBLE = 4_096;
const PATIENCE_MS = 2_000;
/** What the shell answers when there is no such program. */
export const NO_PROGRAM = 127;

/**
 * Runs git outside every sandbox, in a session without a terminal, so that nothing it starts can ask there. Never rejects; an
 * abort ends it with all that it started.
 */
export function runGit({ args, env, cwd, umask, signal, onLine }: GitOrder): Promise<GitEnd> {
  const script = `umask ${umask.toString(8).padStart(3, "0")}; exec git "$@"`;
  const child = spawn("/bin/sh", ["-c", script, "sh", ...args], {
    env,
    cwd,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { promise, resolve } = Promise.withResolvers<GitEnd>();
  let trouble = "";
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = (lines.pop() ?? "").slice(-MOST_TROUBLE);
    for (const line of lines) {
      onLine(line);
      if (!line.includes("%")) trouble = `${trouble}${line}\n`.slice(-MOST_TROUBLE);
    }
  });
  const end = (how: NodeJS.Signals) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, how);
    } catch {
      // It ended a moment ago.
    }
  };
  let patience: NodeJS.Timeout | undefined;
  const abort = () => {
    end("SIGTERM");
    patience = setTimeout(() => end("SIGKILL"), PATIENCE_MS);
  };
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const settle = (code: number | null, more = "") => {
    clearTimeout(patience);
    signal.removeEventListener("abort", abort);
    resolve({ code, trouble: `${trouble}${rest}${more}` });
  };
  child.once("error", (error) => settle(NO_PROGRAM, String(error)));
  child.once("close", (code) => settle(code));
  return promise;
}
