import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { noteChange } from "../files/change-watch.ts";
import { ChangedMeanwhile, type Draft, type Target } from "../files/draft-file.ts";
import { extendFile } from "../files/extended-file.ts";
import type { Files } from "../files/files.ts";
import { placedAsNew } from "../files/new-file.ts";
import { type Content, isSameStamp, removeFile, type Stamp, stampOf } from "../files/regular-file.ts";
import { encodeContent, type LoggedWrite, type Put } from "./change.ts";
import { contentHash } from "./content-hash.ts";
import type { PreparedWrite } from "./prepared.ts";

/** What is there when a document is about to be written. */
interface Before {
  stamp: Stamp | undefined;
  /** Hash of the content; undefined where it cannot be read. */
  base?: string | null | undefined;
  /** What the new content adds at the end, of a file that has no other name; undefined where it does more. */
  added?: Uint8Array | undefined;
}

interface Placing {
  files: Files;
  write: Put;
  target: Target;
  before: Before;
}

/** Puts the new content into its place; may be called again after a failure. */
type Place = (loggedAt: number) => Stamp;

export async function preparePut(files: Files, write: Put): Promise<PreparedWrite> {
  const { path, content, to, within, shared } = write;
  if (to !== undefined) files.makeFolder(dirname(to));
  const target = files.target(path, within);
  let draft: Draft | undefined;
  let release: (() => void) | undefined;
  const close = () => {
    release?.();
    draft?.close();
    target.close();
  };
  try {
    if (shared === true) {
      draft = await files.draft(target, content);
      release = await target.claim();
    }
    const placing = { files, write, target, before: standing(target, write) };
    let place = draft === undefined ? extending(placing) : undefined;
    if (place === undefined) {
      draft ??= await files.draft(target, content);
      place = drafted(placing, draft);
    }
    return prepared(placing, place, close);
  } catch (error) {
    close();
    throw error;
  }
}

function prepared({ write, target, before }: Placing, place: Place, close: () => void): PreparedWrite {
  const { path, content, to, within } = write;
  let loggedAt = 0;
  let stamp: Stamp | undefined;
  return {
    write,
    // Without a base, whatever is there is replaced.
    check: () => write.base === undefined || target.expect(before.stamp),
    logged: (): LoggedWrite => {
      loggedAt = Date.now();
      return {
        ...{ kind: "put", path, content: encodeContent(content), base: before.base },
        ...(to === undefined ? {} : { to }),
        ...(within === undefined ? {} : { within }),
      };
    },
    apply: () => {
      stamp ??= place(loggedAt);
      return { stamp };
    },
    close,
  };
}

/** What is there now, if it is what the write was made from. */
function standing(target: Target, { path, base, from, within, content, added }: Put): Before {
  const seen = target.standing("seen");
  const stats = seen?.isSymbolicLink() ? target.standing("followed") : seen;
  const stamp = stampOf(stats);
  // A link that leads nowhere is no document, and would be in the way of one.
  if (stats === undefined && seen !== undefined)
    throw new HallError("path_refused", `'${path}' is a link.`, { file: path });
  const isOnly = stats?.nlink === 1 && seen === stats;
  if (base !== undefined && from !== undefined && isOnly && isSameStamp(from, stamp))
    return { stamp, base, added: added === undefined ? undefined : Buffer.from(added, "utf8") };
  const read = (hardLinks: "accept" | "refuse") => target.read(path, { hardLinks });
  const addedTo = (bytes: Buffer | undefined) => (isOnly && bytes !== undefined ? longerBy(bytes, content) : undefined);
  if (base === undefined) {
    const now = contentIfReadable(() => read("accept"), stamp);
    return { stamp, base: now.base, added: addedTo(now.bytes) };
  }
  const bytes = stamp === undefined ? undefined : read(within === undefined ? "accept" : "refuse");
  if ((bytes === undefined ? null : contentHash(bytes)) !== base)
    throw new ChangedMeanwhile(`${path} was changed in the meantime`);
  return { stamp, base, added: addedTo(bytes) };
}

function contentIfReadable(
  read: () => Buffer,
  stamp: Stamp | undefined,
): Pick<Before, "base"> & { bytes?: Buffer | undefined } {
  if (stamp === undefined) return { base: null };
  try {
    const bytes = read();
    return { base: contentHash(bytes), bytes };
  } catch {
    return {};
  }
}

/**
 * A file that only gets longer is written at its end: a new file in its place would cost more than all else. Undefined when it
 * does not, or is to move. A crash leaves it as it was, or a beginning of the new content, which the next start completes; it
 * gets the time of the log, because a file that is later is taken for a person's.
 */
function extending({ files, write, target, before: { stamp, added } }: Placing): Place | undefined {
  const { path, content, to, within, base } = write;
  if (to !== undefined || stamp === undefined || added === undefined) return undefined;
  let wasTried = false;
  return (at) => {
    const extension = { from: stamp, wasTried, added, at };
    wasTried = true;
    const extended = extendFile(target.path, extension);
    noteChange();
    if (extended !== undefined) return extended;
    if (base !== undefined) throw new ChangedMeanwhile(`${path} was changed in the meantime`);
    files.replaceGenerated(path, content, within);
    return files.stamp(path) as Stamp;
  };
}

function longerBy(bytes: Buffer, content: Content): Buffer | undefined {
  const whole = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  const isLonger = bytes.length > 0 && whole.length > bytes.length && whole.subarray(0, bytes.length).equals(bytes);
  return isLonger ? whole.subarray(bytes.length) : undefined;
}

function drafted({ files, write, target, before: { stamp } }: Placing, draft: Draft): Place {
  const { path, to, base } = write;
  const asNew = (temporary: string, place: string) => {
    if (!placedAsNew(temporary, place)) throw new ChangedMeanwhile(`${to ?? path} was created in the meantime`);
  };
  const place = () => {
    if (to === undefined) return draft.place(stamp !== undefined || base === undefined ? undefined : asNew);
    const moved = files.target(to);
    try {
      return draft.place((temporary) => asNew(temporary, moved.path));
    } finally {
      moved.close();
    }
  };
  return () => {
    if (!draft.isPlaced && base !== undefined) target.expect(stamp);
    const placed = place();
    // In both places for a moment: the next start removes the old one should a crash come in between.
    if (to !== undefined) removeFile(target.path);
    return placed;
  };
}
