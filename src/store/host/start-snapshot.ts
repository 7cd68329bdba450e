import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const MAKING_MS = 30_000;
const BUNDLED = ".cjs";
const DRAFT = ".draft";
const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(["SIGABRT", "SIGBUS", "SIGILL", "SIGSEGV", "SIGTRAP"]);

/**
 * Node's start-up snapshot of a program: its memory once its code is loaded. A process that starts from it needs a third of the
 * time. It is good for the Node.js that made it and for the place that it was made at, so its name says both.
 */
function snapshotFile(entry: string): string {
  const { execPath, version, arch } = process;
  const place = createHash("sha256").update(JSON.stringify([entry, execPath, version, arch]));
  return join(dirname(entry), `${basename(entry, BUNDLED)}-${place.digest("hex").slice(0, 16)}.snapshot`);
}

/** What Node is started with to use the snapshot of a program; nothing when there is none that this user may read. */
export function snapshotFlags(entry: string): string[] {
  const file = snapshotFile(entry);
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).size === 0 ? [] : ["--snapshot-blob", file];
  } catch {
    return [];
  }
}

/** How a process may end that could not get ready because of its snapshot: Node refuses it, or its memory makes no sense. */
export function isSnapshotFailure(code: number | null, signal: NodeJS.Signals | null): boolean {
  return (code !== null && code !== 0) || (signal !== null && CRASHES.has(signal));
}

/** It can't be made, or no process could start from it: none is used, nor made again. */
export function distrustSnapshot(entry: string): void {
  try {
    writeFileSync(snapshotFile(entry), "");
  } catch {
    // In a folder that can't be written it was not made by this program.
  }
}

/** Makes it unless that was tried before. Answers whether there is one then; a program starts without, too. */
export async function makeSnapshot(entry: string): Promise<boolean> {
  // Run from its sources, a program is many files.
  if (!entry.endsWith(BUNDLED)) return false;
  const file = snapshotFile(entry);
  if (existsSync(file)) return snapshotFlags(entry).length > 0;
  const draft = `${file}.${process.pid}${DRAFT}`;
  const orders = `${file}.${process.pid}.json${DRAFT}`;
  try {
    removeLeftDrafts(dirname(entry));
    // Node's own modules come compiled with it anyway, and each process would hold what of them is in the snapshot.
    writeFileSync(orders, JSON.stringify({ builder: entry, withoutCodeCache: true }));
    const flags = ["--no-warnings", "--snapshot-blob", draft, "--build-snapshot-config", orders];
    await promisify(execFile)(process.execPath, flags, { timeout: MAKING_MS, killSignal: "SIGKILL", env: {} });
    renameSync(draft, file);
    return true;
  } catch {
    distrustSnapshot(entry);
    return false;
  } finally {
    for (const path of [draft, orders]) rmSync(path, { force: true });
  }
}

/** Of those who were ended while they made one. */
function removeLeftDrafts(folder: string): void {
  const left = Date.now() - 2 * MAKING_MS;
  for (const path of readdirSync(folder).map((name) => join(folder, name)))
    if (path.endsWith(DRAFT) && statSync(path).mtimeMs < left) rmSync(path, { force: true });
}
