import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { ChangedMeanwhile, type Draft } from "../files/draft-file.ts";
import type { Files } from "../files/files.ts";
import { placedAsNew } from "../files/new-file.ts";
import { isNowhere, type Stamp, stampOf } from "../files/regular-file.ts";
import type { Append, Found, LoggedWrite, Move, Put, Tree, Write } from "./change.ts";
import { encodeContent } from "./change.ts";
import { contentHash } from "./content-hash.ts";

/** Where each file of lines ends, lines on their way included. */
export type Ends = Map<string, number>;

/** What an applied write left: a document's new state, or where an appended line ends. */
export interface Applied {
  stamp?: Stamp;
  end?: number;
}

/** A write that is ready: what may be refused was refused, and nobody sees anything of it yet. */
export interface PreparedWrite {
  write: Write;
  /** Throws ChangedMeanwhile when the file is no longer the one that the write was prepared for. Nothing is awaited. */
  check(): void;
  /** As the log keeps it. Called once, right before the log is written. */
  logged(ends: Ends): LoggedWrite;
  /** Shows it. Nothing is awaited. After a failure it may be called again; ChangedMeanwhile is final. */
  apply(): Applied;
  /** Lets go of what it holds; what was not applied is gone. */
  close(): void;
}

/** Rejects when the disk refuses the write, or the file is not what the write was made from (ChangedMeanwhile). */
export function prepareWrite(files: Files, write: Write): Promise<PreparedWrite> {
  switch (write.kind) {
    case "put":
      return preparePut(files, write);
    case "move":
      return prepareMove(files, write);
    case "tree":
      return prepareTree(files, write);
    case "append":
      return Promise.resolve(preparedAppend(files, write));
    case "found":
      return Promise.resolve(preparedFound(write));
  }
}

async function preparePut(files: Files, write: Put): Promise<PreparedWrite> {
  const { path, content, to, within, shared } = write;
  files.makeFolder(dirname(path), within);
  if (to !== undefined) files.makeFolder(dirname(to));
  const draft = await files.draft(path, content, within);
  let release: (() => void) | undefined;
  const close = () => {
    release?.();
    draft.close();
  };
  try {
    if (shared === true) release = await draft.claim();
    const { stamp, base } = standing(draft, write);
    let placed: Stamp | undefined;
    const check = () => {
      // Without a base, whatever is there is replaced.
      if (write.base !== undefined) draft.expect(stamp);
    };
    const place = () => {
      if (draft.isPlaced) return draft.place();
      check();
      if (to !== undefined && files.exists(to)) throw new ChangedMeanwhile(`${to} was created in the meantime`);
      if (stamp !== undefined || write.base === undefined) return draft.place();
      return draft.place((temporary, target) => {
        if (!placedAsNew(temporary, target)) throw new ChangedMeanwhile(`${path} was created in the meantime`);
      });
    };
    return {
      write,
      check,
      logged: () => ({
        ...{ kind: "put", path, content: encodeContent(content), base },
        ...(to === undefined ? {} : { to }),
        ...(write.within === undefined ? {} : { within: write.within }),
      }),
      apply: () => {
        placed ??= place();
        if (to !== undefined) files.rename(path, to);
        return { stamp: placed };
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** What is there now, if it is what the write was made from. `base`: undefined where it cannot be read. */
function standing(draft: Draft, { path, base, within }: Put): { stamp: Stamp | undefined; base?: string | null } {
  const stamp = stampOf(draft.standing("followed"));
  // A link that leads nowhere is no document, and would be in the way of one.
  if (stamp === undefined && draft.standing("seen") !== undefined)
    throw new HallError("path_refused", `'${path}' is a link.`, { file: path });
  const read = (hardLinks: "accept" | "refuse") => contentHash(draft.read(path, { hardLinks }));
  if (base === undefined) return { stamp, ...baseIfReadable(() => read("accept"), stamp) };
  const found = stamp === undefined ? null : read(within === undefined ? "accept" : "refuse");
  if (found !== base) throw new ChangedMeanwhile(`${path} was changed in the meantime`);
  return { stamp, base };
}

function baseIfReadable(read: () => string, stamp: Stamp | undefined): { base?: string | null } {
  try {
    return { base: stamp === undefined ? null : read() };
  } catch {
    return {};
  }
}

async function prepareMove(files: Files, write: Move): Promise<PreparedWrite> {
  const { path, to } = write;
  files.makeFolder(dirname(to));
  const check = () => {
    if (!files.exists(path) || files.exists(to)) throw new ChangedMeanwhile(`${path} was changed in the meantime`);
  };
  check();
  return {
    write,
    check,
    logged: () => ({ kind: "move", path, to }),
    apply: () => {
      check();
      files.rename(path, to);
      return {};
    },
    close: () => undefined,
  };
}

/** Made beside its place, in a hidden folder, which the next start removes should it be left. */
async function prepareTree(files: Files, write: Tree): Promise<PreparedWrite> {
  const { path } = write;
  const draft = `${dirname(path)}/.new-${randomUUID()}`;
  const check = () => {
    if (files.exists(path)) throw new ChangedMeanwhile(`${path} was created in the meantime`);
  };
  let isPlaced = false;
  const close = () => {
    if (!isPlaced) files.discard(draft);
  };
  try {
    files.makeFolder(draft);
    for (const folder of write.folders) files.makeFolder(`${draft}/${folder}`);
    for (const [name, content] of Object.entries(write.files)) {
      files.makeFolder(dirname(`${draft}/${name}`));
      files.replaceGenerated(`${draft}/${name}`, content);
    }
    check();
  } catch (error) {
    close();
    throw error;
  }
  return {
    write,
    check,
    logged: () => ({ kind: "tree", path, files: { ...write.files }, folders: [...write.folders] }),
    apply: () => {
      check();
      files.rename(draft, path);
      isPlaced = true;
      return {};
    },
    close,
  };
}

/** Its folder must be there. Where a person takes that away meanwhile, there is no place for the line. */
export function preparedAppend(files: Files, write: Append): PreparedWrite {
  const { path, line } = write;
  const bytes = Buffer.from(`${line}\n`, "utf8");
  if (!files.exists(dirname(path))) throw new HallError("file_not_found", `There is no folder '${dirname(path)}'.`);
  return {
    write,
    check: () => undefined,
    logged: (ends) => {
      const at = ends.get(path) ?? files.endOfLog(path);
      ends.set(path, at + bytes.length);
      return { kind: "append", path, at, line };
    },
    apply: () => {
      try {
        return { end: files.appendBytes(path, bytes) + bytes.length };
      } catch (error) {
        if (isNowhere(error) || !files.exists(dirname(path))) return {};
        throw error;
      }
    },
    close: () => undefined,
  };
}

function preparedFound(write: Found): PreparedWrite {
  const { path, content, base } = write;
  return {
    write,
    check: () => undefined,
    logged: () => ({ kind: "found", path, content: content === undefined ? null : encodeContent(content), base }),
    apply: () => ({}),
    close: () => undefined,
  };
}
