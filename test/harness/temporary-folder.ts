import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { Files } from "../../src/store/files/files.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

/** Takes note of what has to be cleaned up, and when; after the test unless said otherwise. */
export type Cleaner = (clean: () => Promise<void> | void) => void;

/** Cleans up after the last test of the file or group in which it is called, the newest first. */
export function afterAllTests(): Cleaner {
  const cleanings: (() => Promise<void> | void)[] = [];
  afterAll(async () => {
    for (const clean of cleanings) await clean();
  });
  return (clean) => void cleanings.unshift(clean);
}

/** A folder that is gone after the test. */
export function temporaryFolder(later: Cleaner = onTestFinished): string {
  return folderIn(tmpdir(), later);
}

/** Such a folder outside the folders of the system, to which the one in memory belongs: a project may be given it. */
export function ordinaryFolder(): string {
  return folderIn(tmpdir() === MEMORY_FOLDER ? "/tmp" : tmpdir(), onTestFinished);
}

function folderIn(parent: string, later: Cleaner): string {
  const folder = mkdtempSync(join(parent, "guildhall-test-"));
  // Git may still be tidying up in it.
  later(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return folder;
}

/** Such a folder with these folders in it, and the store over it. */
export function filesOver(...folders: string[]): { files: Files; root: string } {
  const root = temporaryFolder();
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  return { files: new Files(root), root };
}
