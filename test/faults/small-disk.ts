import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const PAGE = 4_096;

export interface SmallDisk {
  path: string;
  /** Takes all the room but for so many bytes. */
  fill(spare?: number): void;
  free(): void;
}

/** Why no small disk can be had on this machine, or undefined. */
export function whyNoSmallDisk(): string | undefined {
  try {
    unmount(mount("64k"));
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}

/** A file system of its own in memory that is gone after the test. */
export function smallDisk(size: string): SmallDisk {
  const path = mount(size);
  onTestFinished(() => unmount(path));
  const filler = join(path, "filler");
  return {
    path,
    fill: (spare = 0) => fill(filler, spare),
    free: () => rmSync(filler, { force: true }),
  };
}

function mount(size: string): string {
  const path = mkdtempSync(join(tmpdir(), "guildhall-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "pipe" });
  return path;
}

function unmount(path: string): void {
  execFileSync("umount", ["-l", path], { stdio: "pipe" });
  rmdirSync(path);
}

function fill(filler: string, spare: number): void {
  const fd = openSync(filler, "a");
  try {
    while (tookPage(fd));
    ftruncateSync(fd, Math.max(0, statSync(filler).size - spare));
  } finally {
    closeSync(fd);
  }
}

function tookPage(fd: number): boolean {
  try {
    return writeSync(fd, Buffer.alloc(PAGE)) === PAGE;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}
