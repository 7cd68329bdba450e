import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** Calls that a change of the workspace is made of. */
export const CALLS = [
  "openSync",
  "readSync",
  "writeSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "fstatSync",
  "ftruncateSync",
] as const;
type Call = (typeof CALLS)[number];

interface FileFault {
  call: Call;
  /** The call of this kind on the workspace that fails, counted from 1. */
  at: number;
  /** How many fail from there on; one unless given. */
  times?: number;
  /** Only calls on files whose path, relative to the workspace, matches. */
  path?: RegExp;
  code: "EIO" | "ENOSPC" | "EMFILE" | "EROFS" | "EACCES";
}

interface FailingFiles {
  arm(fault: FileFault): void;
  /** How many calls failed since it was armed. */
  disarm(): number;
}

/** Makes one call on the files of a workspace fail, in this process. The index, which SQLite opens itself, is not concerned. */
export function failingFiles(workspace: string): FailingFiles {
  let fault: FileFault | undefined;
  let seen = 0;
  let hits = 0;
  /** Where it really is in the workspace, for those that lead through the descriptor of a folder. */
  const placeOf = (target: unknown): string | undefined => {
    const path = typeof target === "number" ? `/proc/self/fd/${target}` : String(target);
    const [, fd, rest = ""] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(path) ?? [];
    try {
      const real = fd === undefined ? path : `${readlink(`/proc/self/fd/${fd}`)}${rest}`;
      return real.startsWith(`${workspace}/`) ? real.slice(workspace.length + 1) : undefined;
    } catch {
      return undefined;
    }
  };
  const concerns = (target: unknown, { path = /^(?!\.guildhall\/index\.db)/ }: FileFault): boolean => {
    const place = placeOf(target);
    return place !== undefined && path.test(place);
  };
  const failure = (call: Call, target: unknown): Error | undefined => {
    if (fault?.call !== call || hits >= (fault.times ?? 1) || !concerns(target, fault) || ++seen < fault.at)
      return undefined;
    hits++;
    const { code } = fault;
    const errno = { EIO: -5, ENOSPC: -28, EMFILE: -24, EROFS: -30, EACCES: -13 }[code];
    return Object.assign(new Error(`${code}: injected, ${call} '${String(target)}'`), { code, errno, syscall: call });
  };
  const originals = CALLS.map((call) => [call, fs[call]] as const);
  const readlink = fs.readlinkSync as (path: string) => string;
  for (const call of CALLS) {
    const original = fs[call] as (...given: unknown[]) => unknown;
    const wrapped = (...given: unknown[]) => {
      const error = failure(call, call === "renameSync" || call === "linkSync" ? given[1] : given[0]);
      if (error !== undefined) throw error;
      return original(...given);
    };
    Object.assign(fs, { [call]: wrapped });
  }
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const [call, original] of originals) Object.assign(fs, { [call]: original });
    syncBuiltinESMExports();
  });
  return {
    arm: (next) => {
      [fault, seen, hits] = [next, 0, 0];
    },
    disarm: () => {
      fault = undefined;
      return hits;
    },
  };
}
