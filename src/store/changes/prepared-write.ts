import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { ChangedMeanwhile } from "../files/draft-file.ts";
import type { Files } from "../files/files.ts";
import { isNowhere } from "../files/regular-file.ts";
import { type Append, encodeContent, type Found, type Move, type Tree, type Write } from "./change.ts";
import type { PreparedWrite } from "./prepared.ts";
import { preparePut } from "./prepared-put.ts";

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
  if (!files.isFolder(dirname(path))) throw new HallError("file_not_found", `There is no folder '${dirname(path)}'.`);
  return {
    write,
    bytes,
    check: () => undefined,
    logged: (ends) => {
      const at = ends.get(path) ?? files.endOfLog(path);
      ends.set(path, at + bytes.length);
      return { kind: "append", path, at, line };
    },
    apply: () => {
      appendLines(files, path, [bytes]);
      return {};
    },
    close: () => undefined,
  };
}

/** Writes lines at the end of a file, all or none, and answers where each ends. None, where their folder was taken away. */
export function appendLines(files: Files, path: string, lines: readonly Buffer[]): number[] {
  try {
    let end = files.appendBytes(path, Buffer.concat(lines));
    return lines.map(({ length }) => {
      end += length;
      return end;
    });
  } catch (error) {
    if (isNowhere(error) || !files.exists(dirname(path))) return [];
    throw error;
  }
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
