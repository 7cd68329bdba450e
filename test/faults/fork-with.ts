import child_process, { type ChildProcess, type ForkOptions } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Whether this is a project's process. */
export const isProject = /\/project\.(?:cjs|ts)$/.test(process.argv[1] ?? "");

/**
 * From now on every project's process that this daemon starts loads a module before anything else. It starts without a snapshot:
 * what is in one was loaded before.
 */
export function forkWith(
  module: string,
  env: Record<string, string>,
  forked: (child: ChildProcess) => void = () => undefined,
) {
  const { fork } = child_process;
  child_process.fork = ((entry: string, args: string[], options: ForkOptions) => {
    const given = options.execArgv ?? [];
    const snapshot = given.indexOf("--snapshot-blob");
    const flags = snapshot === -1 ? given : given.toSpliced(snapshot, 2);
    const child = fork(entry, args, {
      ...options,
      execArgv: [...flags, "--import", module],
      env: { ...options.env, ...env },
    });
    forked(child);
    return child;
  }) as typeof fork;
  syncBuiltinESMExports();
}
