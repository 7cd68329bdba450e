/**
 * Loaded into a daemon and its project processes before anything else (node --import): kills one of them at an exact
 * step. The steps are seen where they reach the disk, so the program itself knows nothing of this.
 *
 * The file named by GUILDHALL_CRASH_FILE holds the point to die at; it is looked for at every write and taken away when
 * the point is reached, so each one strikes once.
 */
import fs from "node:fs";
import { forkWith, isProject } from "./fork-with.ts";

export interface CrashPoint {
  victim: "daemon" | "project";
  /** What is written: a line of a log, or a file that comes under its name. Matched against its path. */
  file: string;
  /** For a line of a log, or a command of git: what it must contain. */
  text?: string;
  when: "before" | "after";
}

const crashFile = process.env.GUILDHALL_CRASH_FILE ?? "";
const { existsSync, readFileSync, readlinkSync, renameSync, linkSync, writeSync, closeSync, fdatasync } = fs;
let child: number | undefined;

function pointAt(path: string, text?: string): CrashPoint | undefined {
  if (!existsSync(crashFile)) return undefined;
  const point = JSON.parse(readFileSync(crashFile, "utf8")) as CrashPoint;
  const matches =
    new RegExp(point.file).test(path) &&
    (point.text === undefined || (text !== undefined && new RegExp(point.text).test(text)));
  return matches ? point : undefined;
}

function strike(point: CrashPoint | undefined, when: CrashPoint["when"]): void {
  if (point?.when !== when) return;
  try {
    renameSync(crashFile, `${crashFile}.struck`);
  } catch {
    return;
  }
  const here = point.victim === (isProject ? "project" : "daemon");
  const victim = here ? process.pid : isProject ? process.ppid : child;
  if (victim !== undefined) process.kill(victim, "SIGKILL");
}

/** Paths lead through descriptors of folders; this is where they really are. */
function realPath(path: string): string {
  const through = /^\/proc\/self\/fd\/(\d+)\/(.*)$/.exec(path);
  return through === null ? path : `${readlinkSync(`/proc/self/fd/${through[1]}`)}/${through[2]}`;
}

function around(move: typeof renameSync): typeof renameSync {
  return (from, to) => {
    const point = pointAt(realPath(String(to)));
    strike(point, "before");
    move(from, to);
    strike(point, "after");
  };
}

/** Lines that the change log keeps as well. Their files are not synced, and stay open for a while. Some documents get theirs at their end. */
const FOLLOWS_CHANGES = /\/events\/[^/]+$|\/runs\/index\.jsonl$|\/(?:MEMORY|knowledge\/[^/]+)\.md$/;
/** What each descriptor was given to write since it was last synced. */
const unsynced = new Map<number, string>();

fs.renameSync = around(renameSync);
fs.linkSync = around(linkSync);
fs.writeSync = ((fd: number, data: string | NodeJS.ArrayBufferView, ...rest: number[]) => {
  const text =
    typeof data === "string" ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
  const path = readlinkSync(`/proc/self/fd/${fd}`);
  const write = () => (writeSync as (...all: unknown[]) => number)(fd, data, ...rest);
  if (!path.endsWith(".jsonl") && !FOLLOWS_CHANGES.test(path)) return write();
  const point = pointAt(path, text);
  strike(point, "before");
  const written = write();
  if (FOLLOWS_CHANGES.test(path)) strike(point, "after");
  else unsynced.set(fd, (unsynced.get(fd) ?? "") + text);
  return written;
}) as typeof writeSync;
// Others that the change log keeps as well, such as the plan of a run: they are written when their file is closed.
fs.closeSync = ((fd: number) => {
  const text = unsynced.get(fd);
  unsynced.delete(fd);
  const path = text === undefined ? "" : readlinkSync(`/proc/self/fd/${fd}`);
  closeSync(fd);
  if (text !== undefined) strike(pointAt(path, text), "after");
}) as typeof closeSync;
fs.fdatasync = ((fd: number, done: (error: NodeJS.ErrnoException | null) => void) => {
  const path = readlinkSync(`/proc/self/fd/${fd}`);
  const text = unsynced.get(fd) ?? "";
  unsynced.delete(fd);
  fdatasync(fd, (error) => {
    strike(pointAt(path, text), "after");
    done(error);
  });
}) as typeof fdatasync;

/**
 * A command of git counts as a step too: its file is "git", its text the arguments. It is begun when its script is written for
 * the sandbox that it runs in, and over when its output is read.
 */
const SCRIPT = /\/git-[0-9a-f-]+\/\d+$/;
const commands = new Map<string, string>();
const { writeFileSync } = fs;
fs.writeFileSync = ((file: number | string, data: string, ...rest: []) => {
  const path = typeof file === "number" ? readlinkSync(`/proc/self/fd/${file}`) : String(file);
  if (SCRIPT.test(path)) {
    const [, words = ""] = / git (.*) \) </s.exec(data) ?? [];
    const text = words.replaceAll("'", "");
    commands.set(`${path}.out`, text);
    strike(pointAt("git", text), "before");
  }
  return writeFileSync(file, data, ...rest);
}) as typeof writeFileSync;
fs.readFileSync = ((file: string, ...rest: []) => {
  const text = commands.get(file);
  commands.delete(file);
  if (text !== undefined) strike(pointAt("git", text), "after");
  return readFileSync(file, ...rest);
}) as typeof readFileSync;

forkWith(import.meta.filename, { GUILDHALL_CRASH_FILE: crashFile }, ({ pid }) => {
  child = pid;
});
