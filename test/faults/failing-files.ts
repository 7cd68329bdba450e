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
  /** The so-manieth call of this kind on the workspace, counted from 1 on. */
  at: number;
  code: "EIO" | "ENOSPC" | "EMFILE" | "EROFS";
}

interface FailingFiles {
  arm(fault: FileFault): void;
  /** Whether the call was reached. */
  disarm(): boolean;
}

/** Makes one call on the files of a workspace fail, in this process. The index, which SQLite opens itself, is not concerned. */
export function failingFiles(workspace: string): FailingFiles {
  let fault: FileFault | undefined;
  let seen = 0;
  let isHit = false;
  const concerns = (target: unknown): boolean => {
    const path = typeof target === "number" ? `/proc/self/fd/${target}` : String(target);
    if (path.startsWith(`${workspace}/`)) return !path.includes("/.guildhall/index.db");
    const through = /^\/proc\/self\/fd\/(\d+)/.exec(path);
    if (through === null) return false;
    try {
      return readlink(`/proc/self/fd/${through[1]}`).startsWith(`${workspace}/`);
    } catch {
      return false;
    }
  };
  const failure = (call: Call, target: unknown): Error | undefined => {
    if (fault?.call !== call || isHit || !concerns(target) || ++seen !== fault.at) return undefined;
    isHit = true;
    const { code } = fault;
    const errno = { EIO: -5, ENOSPC: -28, EMFILE: -24, EROFS: -30 }[code];
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
      [fault, seen, isHit] = [next, 0, false];
    },
    disarm: () => {
      fault = undefined;
      return isHit;
    },
  };
}
