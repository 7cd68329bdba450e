import { randomUUID } from "node:crypto";
import { closeSync, constants, fchmodSync, fstatSync, fsync, open, openSync, renameSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import { noteChange } from "./change-watch.ts";
import { claimFile } from "./claim.ts";
import type { OpenFolder } from "./open-folders.ts";
import {
  type Content,
  codeOf,
  type LinkRule,
  linkStatOf,
  readRegular,
  removeQuietly,
  type Stamp,
  stampOf,
  statOf,
  writeAll,
} from "./regular-file.ts";
import type { SpareFile } from "./spare-files.ts";

const fsyncFile = promisify(fsync);
const openFile = promisify(open);
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const NEW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;

/** Narrow, because what has such a name is removed at a start. */
export const TEMPORARY_NAME = /^\.tmp-[0-9a-f]{16}$/;

export function temporaryName(): string {
  return `.tmp-${randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

/** Thrown instead of writing over a file that somebody changed while the new content was being made. */
export class ChangedMeanwhile extends Error {}

/** A name in a folder that is held open, whatever has the name now. */
export interface Target {
  /** Leads into its folder. */
  readonly at: OpenFolder["at"];
  /** Its absolute path, through the folder that is held open. */
  readonly path: string;
  /** Throws ChangedMeanwhile when the file is not the one that `stamp` was taken of; undefined means that there was none. */
  expect(stamp: Stamp | undefined): void;
  /** What has the name now, links followed or not; undefined when there is nothing. */
  standing(links: "followed" | "seen"): Stats | undefined;
  /** What the file of the name holds. Throws path_refused for a link, and for a file with other names where `rule` says so. */
  read(shown: string, rule: LinkRule): Buffer;
  /** Resolves when nobody else who claims the file can replace it, until it is let go. */
  claim(): Promise<() => void>;
  /** Lets go of the folder. */
  close(): void;
}

export function targetIn(folder: OpenFolder, name: string): Target {
  const path = folder.at(name);
  return {
    at: folder.at,
    path,
    expect: (stamp) => {
      if (!isSame(stampOf(statOf(path)), stamp)) throw new ChangedMeanwhile(`${name} was changed in the meantime`);
    },
    standing: (links) => (links === "followed" ? statOf(path) : linkStatOf(path)),
    read: (shown, rule) => readRegular(path, shown, rule),
    claim: () => claimFile(folder.at, name),
    close: () => folder.close(),
  };
}

/** Gives what is at the first path the second one as its name. */
export type Placement = (temporary: string, target: string) => void;

/** What is written, but does not have its name yet. */
export interface Draft {
  /** Gives it its name, unless it has that already. */
  place(how?: Placement): Stamp;
  readonly isPlaced: boolean;
  /** Lets go of the content if it was not placed. */
  close(): void;
}

interface Drafted {
  content: Content;
  /** Its permissions; for the owner alone when they are not said. */
  mode?: number | undefined;
  /** `later`: the change log keeps the content too, until the file is synced. */
  sync: "now" | "later";
  /** To be written in, in place of a file that is made now. */
  spare?: SpareFile | undefined;
}

export async function draftFile(target: Target, { content, mode, sync, spare }: Drafted): Promise<Draft> {
  let temporary = spare?.path ?? target.at(temporaryName());
  let fd = spare?.fd;
  let isPlaced = false;
  const close = () => {
    if (!isPlaced) removeQuietly(temporary);
    if (fd !== undefined) closeSync(fd);
  };
  const write = (into: number) => {
    fd = into;
    if (mode !== undefined) fchmodSync(into, mode);
    writeAll(into, content);
    return into;
  };
  /** In the folder itself, which is on another disk than the spare file. */
  const writeBeside = () => {
    close();
    fd = undefined;
    temporary = target.at(temporaryName());
    return write(openSync(temporary, NEW, 0o600));
  };
  try {
    // Off the thread: while the disk is busy, making a file can take a hundred times as long as it usually does.
    let written = write(fd ?? (await openFile(temporary, NEW, 0o600)));
    if (sync === "now") await fsyncFile(written);
    return {
      get isPlaced() {
        return isPlaced;
      },
      place: (how = renameSync) => {
        if (!isPlaced) {
          try {
            how(temporary, target.path);
          } catch (error) {
            if (codeOf(error) !== "EXDEV") throw error;
            written = writeBeside();
            how(temporary, target.path);
          }
          isPlaced = true;
          noteChange();
        }
        return stampOf(fstatSync(written)) as Stamp;
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

/** Replaces a file in one step, without a sync. */
export function replaceUnsynced(at: OpenFolder["at"], name: string, content: Content): void {
  const temporary = at(temporaryName());
  const fd = openSync(temporary, NEW, 0o600);
  try {
    writeAll(fd, content);
    renameSync(temporary, at(name));
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
}
