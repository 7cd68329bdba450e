import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { eventually } from "../harness/daemon.ts";

export const FILE_SYSTEMS = ["ext4", "xfs"] as const;
export type FileSystem = (typeof FILE_SYSTEMS)[number];

/** XFS refuses anything smaller. */
const SIZE_BYTES = 320 * 1024 * 1024;
const PROGRAMS = ["losetup", "mkfs.ext4", "mkfs.xfs", "xfs_io", "e2fsck", "xfs_repair"];

/** A disk whose power can be cut: whatever was not synced is gone, as far as the file system lets it be. */
export interface CutDisk {
  path: string;
  /** `flush`: the file system's journal reaches the disk in the same moment, contents do not. */
  cut(how: "at-once" | "flush"): void;
  /** After whoever used it is gone: unmounts what is left and mounts what the disk holds. */
  remount(): Promise<void>;
  /** What the file system's own check says about it; empty when it is sound. */
  check(): Promise<string>;
}

/** Why no disk can be cut on this machine, or undefined. */
export function whyNoCutDisk(): string | undefined {
  if (process.getuid?.() !== 0) return "it needs root, to mount file systems";
  const missing = PROGRAMS.filter((name) => !has(name));
  return missing.length === 0 ? undefined : `it needs ${missing.join(", ")}`;
}

function has(program: string): boolean {
  try {
    run("sh", "-c", `command -v ${program}`);
    return true;
  } catch {
    return false;
  }
}

/** Gone after the test. */
export function cutDisk(kind: FileSystem): CutDisk {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-cut-"));
  const image = join(folder, "image");
  const path = join(folder, "disk");
  mkdirSync(path);
  writeFileSync(image, "");
  truncateSync(image, SIZE_BYTES);
  run(`mkfs.${kind}`, "-q", image);
  const device = run("losetup", "--find", "--show", image);
  run("mount", "-t", kind, device, path);
  const mounted = `/sys/fs/${kind}/${basename(device)}`;
  onTestFinished(async () => {
    await unmount(path, mounted);
    run("losetup", "--detach", device);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path,
    cut: (how) => void run("xfs_io", "-x", "-c", how === "flush" ? "shutdown -f" : "shutdown", path),
    remount: async () => {
      await unmount(path, mounted);
      run("mount", "-t", kind, device, path);
    },
    check: async () => {
      await unmount(path, mounted);
      const [program, ...args] = kind === "ext4" ? ["e2fsck", "-fn", device] : ["xfs_repair", "-n", device];
      const said = failureOf(() => run(program as string, ...args));
      run("mount", "-t", kind, device, path);
      return said;
    },
  };
}

/** Processes that were killed hold it for a moment, and so does any other that has a copy of all mounts. */
async function unmount(path: string, mounted: string): Promise<void> {
  await eventually(
    () => failureOf(() => run("umount", path)),
    (said) => said === "" || said.includes("not mounted"),
  );
  await eventually(
    () => existsSync(mounted),
    (isMounted) => !isMounted,
    60_000,
  );
}

function failureOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}
