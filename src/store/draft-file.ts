import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, fsync, openSync, renameSync } from "node:fs";
import { promisify } from "node:util";
import type { OpenFolder } from "./open-folders.ts";
import { type Content, removeQuietly, type Stamp, stampOf, statOf, writeAll } from "./regular-file.ts";

const fsyncFile = promisify(fsync);
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Narrow, because what has such a name is removed at a start. */
export const TEMPORARY_NAME = /^\.tmp-[0-9a-f]{16}$/;

export function temporaryName(): string {
  return `.tmp-${randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

/** Thrown instead of writing over a file that somebody changed while the new content was being made. */
export class ChangedMeanwhile extends Error {}

/** What is on disk and safe, but does not have its name yet. */
export interface Draft {
  /** Throws ChangedMeanwhile when the file is not the one that `stamp` was taken of; undefined means that there was none. */
  expect(stamp: Stamp | undefined): void;
  place(how?: (temporary: string, target: string) => void): Stamp;
  /** Lets go of the folder, and of the content too if it was not placed. */
  close(): void;
}

/** Takes over the folder and closes it in the end. */
export async function draftFile(folder: OpenFolder, name: string, content: Content): Promise<Draft> {
  const temporary = folder.at(temporaryName());
  let fd: number | undefined;
  let isPlaced = false;
  const close = () => {
    if (!isPlaced) removeQuietly(temporary);
    if (fd !== undefined) closeSync(fd);
    folder.close();
  };
  try {
    const opened = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    fd = opened;
    writeAll(opened, content);
    await fsyncFile(opened);
    const target = folder.at(name);
    return {
      expect: (stamp) => {
        if (!isSame(stampOf(statOf(target)), stamp)) throw new ChangedMeanwhile(`${name} was changed meanwhile`);
      },
      place: (how = renameSync) => {
        how(temporary, target);
        isPlaced = true;
        return stampOf(fstatSync(opened)) as Stamp;
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function isSame(left: Stamp | undefined, right: Stamp | undefined): boolean {
  return left?.mtime === right?.mtime && left?.size === right?.size && left?.inode === right?.inode;
}
